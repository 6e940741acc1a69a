import t from 'tap'
import { compileForms } from '../../src/ingest/compile-validator.ts'
import { JsonReader } from '../../src/ingest/json-reader.ts'
import type { Keep } from '../../src/ingest/list-reader.ts'
import { SessionBody } from '../../src/ingest/session-body.ts'
import { PLAN_FORMS } from '../../src/schemas/plan.ts'
import { problemOf } from '../support/problem-of.ts'

function read(text: string, keep: Keep = 'whole'): unknown {
  const reader = new JsonReader({ names: ['entries', 'messages'], keep })
  if (text !== '') reader.push(Buffer.from(text))
  return reader.end()
}

const validate = compileForms(PLAN_FORMS)

/** What a route gets of a body: the body, or its faults. */
function check(body: object): unknown {
  const result = validate(read(JSON.stringify(body)))
  return 'error' in result ? result.error.faults.map(({ pointer, detail }) => [pointer, detail]) : result.value
}

t.test('a body without a list of a session is read as it is', async (t) => {
  t.same(read('\uFEFF{"prompt":"p","entries":5}'), { prompt: 'p', entries: 5 })
  t.same(read('[{"entries":[]}]'), [{ entries: [] }])
  t.equal(read('null'), null)
})

t.test('a body that is not JSON is refused as soon as that is known, and the fault quotes nothing of it', async (t) => {
  const faults = [['', 'must be valid JSON']]
  t.same(
    problemOf(() => read('')),
    { type: 'invalid-request', faults: [['', 'must not be empty']] },
  )
  for (const text of ['{"entries":[{]}', '{"entries":[]', 'hello', '{"entries":[1]} x'])
    t.same(
      problemOf(() => read(text)),
      { type: 'invalid-request', faults },
      text,
    )
  const reader = new JsonReader({ names: ['entries'], keep: 'whole' })
  t.same(problemOf(() => { reader.push(Buffer.from('{"entries":[{"type":"a"},{"secret":},')) }).faults, faults) // prettier-ignore
})

t.test('a valid body is whole again once the rest of it is checked', async (t) => {
  const body = { settings: { keepRecentTokens: 5 }, entries: [{ type: 'label', id: 'a', big: [1] }], leafId: 'a' }
  t.ok(read(JSON.stringify(body)) instanceof SessionBody)
  t.same(check(body), body)
  t.same(check({ messages: [] }), { messages: [] })
})

t.test('faults of elements and of other fields are reported together, with their pointers, at most 20', async (t) => {
  t.same(check({ settings: { keepRecentTokens: 'x' }, entries: [{ type: 'label' }, 5, { type: 'message' }] }), [
    ['/entries/1', 'must be an object'],
    ['/entries/2/message', 'is required'],
    ['/settings/keepRecentTokens', 'must be an integer of at least 0'],
  ])
  t.equal((check({ entries: Array(50).fill(5) }) as unknown[]).length, 20)
})

t.test('a body of two forms has that one fault', async (t) => {
  t.same(check({ entries: [5], messages: [] }), [
    ['', 'must have exactly one of entries, messages; it has entries and messages'],
  ])
})

t.test('entries that a route returns have lost nothing', async (t) => {
  const entry = { type: 'message', id: 'a', extra: 1, message: { role: 'user', content: 'x', timestamp: 5 } }
  t.same((read(JSON.stringify({ entries: [entry] })) as SessionBody).join(), { entries: [entry] })
})

t.test('a message of an unknown role may have any content, also before a compaction', async (t) => {
  const message = { role: 'from_the_future', content: [null, 5, { type: 'toolCall', id: 'c', arguments: { a: 1 } }] }
  const entries = [
    { type: 'message', id: 'a', parentId: null, message },
    { type: 'message', id: 'b', parentId: 'a', message: { role: 'user', content: 'x' } },
    { type: 'compaction', id: 'c', parentId: 'b', summary: 's', firstKeptEntryId: 'b' },
  ]
  const [emptied] = (read(JSON.stringify({ entries }), 'considered') as SessionBody).join()['entries'] as object[]
  t.match(emptied, { message: { role: message.role, content: [{ type: 'toolCall', id: 'c', arguments: {} }] } })
})
