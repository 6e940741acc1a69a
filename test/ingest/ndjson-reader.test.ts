import t from 'tap'
import { NdjsonReader } from '../../src/ingest/ndjson-reader.ts'
import type { RawEntry } from '../../src/schemas/entry.ts'
import { readSession } from '../../src/session/read-session.ts'
import { problemOf } from '../support/problem-of.ts'

/** Reads a file that comes in chunks of so many bytes. */
function read(text: string, chunkBytes = text.length) {
  const reader = new NdjsonReader('whole')
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += Math.max(1, chunkBytes)) reader.push(bytes.subarray(at, at + chunkBytes))
  const body = reader.end()
  return { ...body.join(), faults: body.faults().map(({ pointer, detail }) => [pointer, detail]) }
}

const A = { type: 'a' }
const C = { type: 'c' }

t.test('a value a line, with or without a closing line break, also with Windows line ends', async (t) => {
  for (const chunkBytes of [1, 3, 100]) {
    t.same(read('{"type":"a"}\n{"type":"c"}\n', chunkBytes), { entries: [A, C], faults: [] })
    t.same(read('{"type":"a"}\r\n{"type":"c"}', chunkBytes), { entries: [A, C], faults: [] })
  }
})

t.test('a byte order mark is passed over', async (t) => {
  t.same(read('\uFEFF{"type":"a"}', 2), { entries: [A], faults: [] })
})

t.test('a broken last line is ignored: an agent may have been stopped while it wrote it', async (t) => {
  t.same(read('{"type":"a"}\n{"b":'), { entries: [A], faults: [] })
  t.same(read('{"type":"a"}\n{"b":\n\n  \n'), { entries: [A], faults: [] })
})

t.test('any other broken line is named by its number, the first being 0', async (t) => {
  t.same(
    problemOf(() => read('{"type":"a"}\n{"b":\n{"type":"c"}')),
    { type: 'invalid-request', faults: [['/entries/1', 'must be valid JSON']] },
  )
})

t.test('at most 20 broken lines are named, and no more are read', async (t) => {
  t.same(problemOf(() => read('{\n'.repeat(50))).faults.length, 20)
})

t.test('a body of one broken line is no session file, and an empty one neither', async (t) => {
  t.same(problemOf(() => read('hello')).faults, [['/entries/0', 'must be valid JSON']])
  t.same(problemOf(() => read('\n \n')).faults, [['', 'must not be empty']])
})

t.test('a blank line counts as a line, so that pointers stay true, and is not kept', async (t) => {
  t.same(JSON.parse(JSON.stringify(read('{"type":"a"}\n\n{"type":"c"}\n\n'))), { entries: [A, C], faults: [] })
  t.same(read('\n{"type":"a"}\n\n{"type":"message"}').faults, [['/entries/3/message', 'is required']])
  const message = '{"type":"message","message":{"role":"user","content":"x"}}'
  const { entries } = read(`\n{"type":"label","id":"a"}\n\n${message}\n`) as unknown as { entries: RawEntry[] }
  t.same(
    problemOf(() => readSession(entries)),
    { type: 'invalid-session', faults: [['/entries/3/id', 'is required, because other entries have an id']] },
  )
})

t.test('a line that is no entry is told, and then nothing is kept', async (t) => {
  t.same(read('{"type":"a"}\n5\n{"type":"message"}'), {
    entries: [],
    faults: [
      ['/entries/1', 'must be an object'],
      ['/entries/2/message', 'is required'],
    ],
  })
})
