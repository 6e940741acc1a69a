import t from 'tap'
import { describeReplaced } from '../../src/use-cases/shared/replaced-part.ts'
import type { Entry } from '../../src/session/entry.ts'

const document = '{"sessionId":"g1","timestamp":"2026-03-24T08:00:00Z","$set":{"messages":[]}}'

t.test('an element with many entries is parsed once', (t) => {
  const body = Buffer.from(document)
  const reads: unknown[] = []
  body.toString = (...args) => {
    reads.push(args)
    return Buffer.prototype.toString.apply(body, args)
  }
  const range = { start: 0, end: body.length }
  const branch: Entry[] = Array.from({ length: 50 }, (_, part) => ({
    ...{ id: `e${part}`, parentId: null, type: 'message', index: 0, part },
    // Each entry has an object of its own for the same place.
    range: { ...range },
  }))
  const places = branch.map(({ index, part = 0, range }) => ({ index, part, range }))
  const source = { name: 'messages', body, isLines: true, places, elements: places, offset: 0 } as const
  const written = Date.parse('2026-03-24T08:00:00Z')
  t.same(describeReplaced({ source, format: 'gemini' }, branch, 45), {
    ...{ session: 'g1', entries: 45, hasEarlier: false },
    ...{ fromMs: written, toMs: written },
  })
  t.equal(reads.length, 1)
  t.end()
})
