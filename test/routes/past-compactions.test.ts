import { Value } from '@sinclair/typebox/value'
import t, { type Test } from 'tap'
import { PlanReplySchema, type PlanReply } from '../../src/schemas/plan.ts'
import {
  assistant,
  buildRawEntries,
  call,
  compaction,
  named,
  reset,
  result,
  user,
  type EntryDraft,
} from '../support/build-entries.ts'
import { startApp } from '../support/start-app.ts'

const compactionsOf = async (t: Test, drafts: readonly EntryDraft[]) => {
  const { app } = await startApp(t)
  const payload = { entries: buildRawEntries(drafts) }
  const response = await app.inject({ method: 'POST', url: '/compaction/plan?include=compactions', payload })
  const reply = response.json<PlanReply>()
  t.ok(Value.Check(PlanReplySchema, reply))
  return reply.compactions
}

const run = (id: string, command: string, output: string): EntryDraft[] => [
  named(id, assistant('', [call(id, 'bash', { command })])),
  named(`${id}-result`, result(id, output)),
]

const CHAIN: readonly EntryDraft[] = [
  named('a', user('Write the parser of the invoices.')),
  named('o', user('Never touch lib/old.ts.')),
  ...run('b', 'npm run build-parser', 'ok'),
  named('c1', compaction({ summary: 'Write the parser of the invoices. `npm run build-parser` works.' })),
  named('d', user('Now print the totals of every month.')),
  ...run('e', 'npm run print-totals', 'ok'),
  named('k', user('And the totals of every year.')),
  named('c2', compaction({ summary: 'Never touch lib/old.ts. The totals of every month.', firstKeptEntryId: 'k' })),
  named('f', user('Go on with the next one, please.')),
]

t.test('each compaction is said to drop what neither its summary nor a later one has', async (t) => {
  t.strictSame(await compactionsOf(t, CHAIN), [
    {
      ...{ number: 1, entryId: 'c1', writer: 'pi', tokens: 33, entries: 4 },
      counts: [
        // The second summary has the demand again, which is a request too.
        { kind: 'request', total: 2, dropped: 0 },
        { kind: 'demand', total: 1, dropped: 0 },
        { kind: 'command', total: 1, dropped: 0 },
      ],
      dropped: [],
    },
    {
      ...{ number: 2, entryId: 'c2', writer: 'pi', tokens: 30, entries: 3 },
      counts: [
        { kind: 'request', total: 2, dropped: 1 },
        { kind: 'command', total: 2, dropped: 2 },
      ],
      dropped: [
        { kind: 'request', text: 'Write the parser of the invoices.', entryIds: ['a'] },
        { kind: 'command', text: 'npm run build-parser', entryIds: ['b'] },
        { kind: 'command', text: 'npm run print-totals', entryIds: ['e'] },
      ],
    },
  ])
})

t.test('what was replaced by an encrypted compaction counts for the next one, and a reset begins anew', async (t) => {
  const encrypted = CHAIN.map((draft) =>
    draft.id === 'c1' ? { ...draft, raw: { ...draft.raw, preserveData: { openaiRemoteCompaction: {} } } } : draft,
  )
  const [only, ...others] = (await compactionsOf(t, encrypted)) ?? []
  t.match(only, { number: 2, entries: 7, dropped: [{ entryIds: ['a'] }, { entryIds: ['b'] }, { entryIds: ['e'] }] })
  t.strictSame(others, [])
  t.strictSame(await compactionsOf(t, [...CHAIN, reset(), user('Begin.')]), [])
})

t.test('secrets are replaced in what was dropped', async (t) => {
  const secret = 'ghp_R8s0mK2xVb7QwZt4LnYc1JfHdE6uPa3ToGiX'
  const [one] = (await compactionsOf(t, [user(`Send it with ${secret}, every day.`), compaction(), user('Go.')])) ?? []
  t.match(one?.dropped, [{ kind: 'request', text: /^Send it with \[redacted:[a-z-]+\], every day\.$/ }])
})

t.test('compactions are in the plan only if the request asks for them', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({
    ...{ method: 'POST', url: '/compaction/plan?include=entries' },
    payload: { entries: buildRawEntries(CHAIN) },
  })
  t.notOk('compactions' in response.json<PlanReply>())
})
