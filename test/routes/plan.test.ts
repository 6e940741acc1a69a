import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import t from 'tap'
import { PlanReplySchema } from '../../src/schemas/plan.ts'
import {
  assistant,
  bash,
  branchSummary,
  buildEntries,
  call,
  compaction,
  modelChange,
  named,
  reset,
  result,
  tokens,
  user,
  type EntryDraft,
} from '../support/build-entries.ts'
import { startApp } from '../support/start-app.ts'

const bodyOf = (drafts: EntryDraft[]) => buildEntries(drafts).map(({ raw }) => raw)

t.test('the plan tells what a compaction would do, and what becomes of every entry of the body', async (t) => {
  const { app } = await startApp(t)
  const entries = [
    { type: 'session', version: 3 },
    ...bodyOf([
      named('covered', user(tokens(10))),
      named('history', user(tokens(10))),
      named('old', compaction({ firstKeptEntryId: 'history', files: { readFiles: ['a.ts'], modifiedFiles: [] } })),
      named('turn', user(tokens(10))),
      named('meta', modelChange()),
      named('kept', assistant(tokens(30))),
    ]),
    { type: 'message', id: 'off', parentId: 'turn', message: { role: 'user', content: 'Another branch.' } },
  ]
  const payload = {
    entries,
    leafId: 'kept',
    settings: { keepRecentTokens: 30, contextWindow: 1000, thresholdTokens: 40 },
  }
  const plan = (await app.inject({ method: 'POST', url: '/compaction/plan', payload })).json()
  t.ok(Value.Check(PlanReplySchema, plan))
  t.ok(plan.promptTokens > 500, 'system prompt and prompt are counted')
  t.strictSame(plan, {
    action: 'compact',
    reason: 'threshold',
    thresholdTokens: 40,
    contextTokens: plan.tokensBefore,
    firstKeptEntryId: 'meta',
    isSplitTurn: true,
    turnStartEntryId: 'turn',
    tokensBefore: plan.tokensBefore,
    tokensKept: 30,
    hasPreviousSummary: true,
    details: { readFiles: ['a.ts'], modifiedFiles: [] },
    windows: 2,
    promptTokens: plan.promptTokens,
    summarizerWindow: 128_000,
    prune: { count: 0, tokensSaved: 0 },
    entries: [
      { id: 'covered', type: 'message', role: 'user', tokens: 10, region: 'covered' },
      { id: 'history', type: 'message', role: 'user', tokens: 10, region: 'summarized' },
      { id: 'old', type: 'compaction', tokens: 0, region: 'ignored' },
      { id: 'turn', type: 'message', role: 'user', tokens: 10, region: 'turn-prefix' },
      { id: 'meta', type: 'model_change', tokens: 0, region: 'kept' },
      { id: 'kept', type: 'message', role: 'assistant', tokens: 30, region: 'kept' },
      { id: 'off', type: 'message', role: 'user', tokens: 0, region: 'ignored' },
    ],
  })
})

t.test('with nothing to compact, the cut is null and nothing would be sent', async (t) => {
  const { app } = await startApp(t)
  const plan = (await app.inject({ method: 'POST', url: '/compaction/plan', payload: { entries: [] } })).json()
  t.ok(Value.Check(PlanReplySchema, plan))
  t.match(plan, {
    action: 'none',
    reason: 'nothing-to-compact',
    firstKeptEntryId: null,
    windows: 0,
    promptTokens: 0,
    thresholdTokens: null,
  })
})

const draft: fc.Arbitrary<EntryDraft[]> = fc.oneof(
  fc.nat(40).map((size) => [user(tokens(size))]),
  fc.nat(40).map((size) => [assistant(tokens(size))]),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.nat(40))
    .map(([id, size]) => [assistant('', [call(id, 'read', { path: `${id}.ts` })]), result(id, tokens(size))]),
  fc.constantFrom<EntryDraft[]>(
    [modelChange()],
    [bash()],
    [branchSummary()],
    [compaction({ firstKeptEntryId: 'e2' })],
    [reset()],
  ),
)

t.test('the plan and the compaction of the same body agree', async (t) => {
  const { app } = await startApp(t)
  let compacted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(draft, { maxLength: 20 }), fc.nat(150), async (drafts, keepRecentTokens) => {
      const payload = { entries: bodyOf(drafts.flat()), settings: { keepRecentTokens } }
      const plan = (await app.inject({ method: 'POST', url: '/compaction/plan', payload })).json()
      const response = await app.inject({ method: 'POST', url: '/compaction', payload })
      const reply = response.json()
      if (plan.firstKeptEntryId === null) return response.statusCode === 422 && plan.reason === 'nothing-to-compact'
      compacted += 1
      const keys = ['firstKeptEntryId', 'isSplitTurn', 'tokensBefore', 'details'] as const
      return keys.every((key) => JSON.stringify(plan[key]) === JSON.stringify(reply[key]))
    }),
    { seed: 5, numRuns: 300 },
  )
  t.ok(compacted > 100, `${compacted} were compacted`)
})

t.test('a secret in the name of a file does not appear in the plan', async (t) => {
  const { app } = await startApp(t)
  const path = `keys/ghp_${'aB3dE5fG7h'.repeat(3)}.txt`
  const entries = bodyOf([
    user(tokens(10)),
    assistant('', [call('c', 'read', { path })]),
    result('c', 'ok'),
    user(tokens(30)),
  ])
  const payload = { entries, settings: { keepRecentTokens: 30 } }
  const plan = (await app.inject({ method: 'POST', url: '/compaction/plan', payload })).json()
  t.strictSame(plan.details, { readFiles: ['keys/[redacted:github-token].txt'], modifiedFiles: [] })
})
