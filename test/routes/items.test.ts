import { Value } from '@sinclair/typebox/value'
import t, { type Test } from 'tap'
import type { Summarizer } from '../../src/model/summarizer.ts'
import { CompactionReplySchema, type CompactionReply } from '../../src/schemas/compaction-reply.ts'
import { assistant, buildRawEntries, call, compaction, named, result, user } from '../support/build-entries.ts'
import { startApp } from '../support/start-app.ts'

const EMBEDDED: Summarizer = { name: 'embedded', windowTokens: () => 128_000 }

const todos = [
  { content: 'Fix add', status: 'completed' },
  { content: 'Run tests', status: 'pending' },
]

const ENTRIES = buildRawEntries([
  named('a', user('Begin.')),
  named('c', compaction({ summary: '## Next Steps\n1. Publish the notes of the release' })),
  named('b', user('Rename the parser to reader.')),
  named('d', assistant('Done: the parser is the reader now.')),
  named('e', user('Fix the adder. My password is hunter2-hunter2.')),
  named('f', assistant('', [call('x', 'TodoWrite', { todos })])),
  named('g', result('x', 'ok', { toolName: 'TodoWrite' })),
  named('h', user(`Go on. ${'word '.repeat(400)}`)),
])

const compact = async (t: Test, query: string, body: object) => {
  const { app } = await startApp(t, { summarizer: EMBEDDED })
  const response = await app.inject({ method: 'POST', url: `/compaction${query}`, payload: body })
  return response.json<CompactionReply>()
}

const BODY = { entries: ENTRIES, settings: { keepRecentTokens: 100 } }

t.test('items have their states, and the entries that show them', async (t) => {
  const reply = await compact(t, '?include=items', BODY)
  t.ok(Value.Check(CompactionReplySchema, reply))
  t.strictSame(reply.items, [
    { kind: 'request', text: 'Rename the parser to reader.', state: 'said', entryId: 'b', stateEntryId: 'd' },
    { kind: 'request', text: 'Fix the adder. My password is [redacted:password].', state: 'open', entryId: 'e' },
    { kind: 'task', text: 'Fix add', state: 'done', entryId: 'g', source: 'TodoWrite' },
    { kind: 'task', text: 'Run tests', state: 'open', entryId: 'g', source: 'TodoWrite' },
    { kind: 'step', text: 'Publish the notes of the release', state: 'open', isOlder: true, entryId: 'c' },
  ])
})

t.test('items are in the reply only if the request asks for them', async (t) => {
  t.notOk('items' in (await compact(t, '', BODY)))
  const both = await compact(t, '?include=items,provenance', BODY)
  t.ok(both.items !== undefined && both.provenance !== undefined)
})

t.test(
  'a request that only the messages that stay answer is open where the summary ends, and so are its wishes',
  async (t) => {
    const entries = buildRawEntries([
      named('a', user('Do two things:\n1. Write the parser of the invoices.\n2. Print the totals of every month.')),
      named('b', assistant('', [call('x', 'bash', { command: `npm run build ${'word '.repeat(400)}` })])),
      named('c', result('x', 'ok')),
      named('d', assistant(`All is done: the parser is written, and the totals are printed. ${'word '.repeat(400)}`)),
    ])
    const { items } = await compact(t, '?include=items', { entries, settings: { keepRecentTokens: 100 } })
    const note = 'the messages that stay have the answer'
    t.strictSame(
      items?.map(({ text: _, ...item }) => item),
      [
        { kind: 'request', state: 'open', entryId: 'a', note },
        { kind: 'wish', state: 'open', entryId: 'a', note },
        { kind: 'wish', state: 'open', entryId: 'a', note },
      ],
    )
  },
)
