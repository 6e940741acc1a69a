import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import t from 'tap'
import { PlanReplySchema, type PlanReply } from '../../src/schemas/plan.ts'
import {
  assistant,
  bash,
  branchSummary,
  buildRawEntries,
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
import { casesOf } from '../support/random-cases.ts'

t.test('the plan tells what a compaction would do, and what becomes of every entry of the body', async (t) => {
  const { app } = await startApp(t)
  const entries = [
    { type: 'session', version: 3 },
    ...buildRawEntries([
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
    contextWindow: 1000,
    thresholdTokens: 40,
    contextTokens: plan.tokensBefore,
    firstKeptEntryId: 'meta',
    isSplitTurn: true,
    turnStartEntryId: 'turn',
    tokensBefore: plan.tokensBefore,
    tokensOutside: 0,
    tokensKept: 30,
    keep: {
      ...{ asked: 30, budget: 30, ratio: 1, kept: 30 },
      why: 'They fit exactly. With the 22 of the summary, they are more than the threshold of 40 tokens, so the agent would compact again in every turn: let fewer tokens stay, or raise the threshold.',
    },
    hasPreviousSummary: true,
    previousSummaryTokens: plan.tokensBefore - 50,
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
      const payload = { entries: buildRawEntries(drafts.flat()), settings: { keepRecentTokens } }
      const plan = (await app.inject({ method: 'POST', url: '/compaction/plan', payload })).json()
      const response = await app.inject({ method: 'POST', url: '/compaction', payload })
      const reply = response.json()
      if (plan.firstKeptEntryId === null) return response.statusCode === 422 && plan.reason === 'nothing-to-compact'
      compacted += 1
      const keys = ['firstKeptEntryId', 'isSplitTurn', 'tokensBefore', 'details'] as const
      return keys.every((key) => JSON.stringify(plan[key]) === JSON.stringify(reply[key]))
    }),
    { seed: 5, numRuns: casesOf(300) },
  )
  t.ok(compacted > casesOf(300) / 3, `${compacted} were compacted`)
})

t.test('a secret in the name of a file does not appear in the plan', async (t) => {
  const { app } = await startApp(t)
  const path = `keys/ghp_${'aB3dE5fG7h'.repeat(3)}.txt`
  const entries = buildRawEntries([
    user(tokens(10)),
    assistant('', [call('c', 'read', { path })]),
    result('c', 'ok'),
    user(tokens(30)),
  ])
  const payload = { entries, settings: { keepRecentTokens: 30 } }
  const plan = (await app.inject({ method: 'POST', url: '/compaction/plan', payload })).json()
  t.strictSame(plan.details, { readFiles: ['keys/[redacted:github-token].txt'], modifiedFiles: [] })
})

t.test('include=entries says of each entry what it is, where it is in the document, and how it begins', async (t) => {
  const { app } = await startApp(t)
  const secret = `ghp_${'aB3dE5fG7h'.repeat(3)}`
  const lines = buildRawEntries([
    named('ask', user(`Fix the   build,\nplease. ${secret}`)),
    named('call', assistant('', [call('c', 'bash', { command: 'npm test' })])),
    named('out', result('c', 'failed', { isError: true })),
    named('model', modelChange()),
    named('done', assistant('Done. '.repeat(100))),
  ]).map((raw) => JSON.stringify(raw))
  const response = await app.inject({
    method: 'POST',
    url: '/compaction/plan?include=entries',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: lines.join('\n'),
  })
  const { entries, prompts } = response.json()
  t.ok(Value.Check(PlanReplySchema, response.json()))
  t.equal(prompts, undefined)
  const body = Buffer.from(lines.join('\n'))
  const at = (index: number) => {
    const { start, end } = entries[index].range
    return JSON.parse(body.toString('utf8', start, end)).id
  }
  t.strictSame([0, 1, 2, 3, 4].map(at), ['ask', 'call', 'out', 'model', 'done'])
  type Described = { text: string; tools?: string[]; startsTurn?: true; isError?: true }
  t.strictSame(
    entries.map(({ text, tools, startsTurn, isError }: Described) => ({ text, tools, startsTurn, isError })),
    [
      {
        text: 'Fix the build, please. [redacted:github-token]',
        tools: undefined,
        startsTurn: true,
        isError: undefined,
      },
      { text: 'bash npm test', tools: ['bash'], startsTurn: undefined, isError: undefined },
      { text: 'failed', tools: entries[2].tools, startsTurn: undefined, isError: true },
      { text: '', tools: undefined, startsTurn: undefined, isError: undefined },
      { text: entries[4].text, tools: undefined, startsTurn: undefined, isError: undefined },
    ],
  )
  t.match(entries[4].text, /^(?:Done\. )+Done\.…$/)
})

t.test(
  'include=entries names a message by its words or its call, and an image only if it has nothing else',
  async (t) => {
    const { app } = await startApp(t)
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const messages = [
      { role: 'user', content: [image, { type: 'text', text: 'Explain the fix' }] },
      { role: 'user', content: [image] },
      { role: 'assistant', content: [{ type: 'text', text: ' ' }, call('c', 'read', { path: 'a.ts' })] },
    ]
    const payload = { messages }
    const reply = await app.inject({ method: 'POST', url: '/compaction/plan?include=entries', payload })
    const { entries }: PlanReply = reply.json()
    t.strictSame(
      entries.map(({ text }) => text),
      ['Explain the fix', '[Image]', 'read a.ts'],
    )
  },
)

t.test(
  'include=entries says which entries are on a branch that was left, and where a compaction is encrypted',
  async (t) => {
    const { app } = await startApp(t)
    const preserveData = { openaiRemoteCompaction: { id: 'r' } }
    const entries = [
      ...buildRawEntries([
        named('ask', user(tokens(10))),
        named('left', assistant(tokens(10))),
        named('old', compaction({ firstKeptEntryId: 'left' })),
      ]),
      { type: 'message', id: 'other', parentId: 'ask', message: { role: 'user', content: 'Another way.' } },
      { type: 'compaction', id: 'secret', parentId: 'other', summary: '', preserveData, firstKeptEntryId: 'other' },
    ]
    const at = await app.inject({ method: 'POST', url: '/compaction/plan', payload: { entries } })
    t.match(at.json(), { encryptedAt: 5 })
    const flagsOf = async (include: string): Promise<unknown[]> => {
      const reply = await app.inject({ method: 'POST', url: `/compaction/plan${include}`, payload: { entries } })
      const { entries: planned }: PlanReply = reply.json()
      return planned.map(({ id, isOffBranch, encryptedCompaction }) => [id, isOffBranch, encryptedCompaction])
    }
    t.strictSame(await flagsOf('?include=entries'), [
      ['ask', undefined, undefined],
      ['left', true, undefined],
      ['old', true, undefined],
      ['other', undefined, undefined],
      ['secret', undefined, 'this'],
    ])
    t.strictSame(
      (await flagsOf('')).flatMap((one) => (one as unknown[]).slice(1)),
      Array(10).fill(undefined),
    )
  },
)

t.test(
  'include=prompts returns the prompts as they would be sent, with marks on what was cut or replaced',
  async (t) => {
    const { app } = await startApp(t)
    const output = Array.from({ length: 3000 }, (_, line) => `line ${line} of the log`).join('\n')
    const payload = {
      entries: buildRawEntries([
        user(`Read the log. password=hunter2-hunter2`),
        assistant('', [call('c', 'bash', { command: 'cat log' })]),
        result('c', output),
        user(tokens(30)),
      ]),
      settings: { keepRecentTokens: 30, transcriptTokens: 2000 },
    }
    const plan = (await app.inject({ method: 'POST', url: '/compaction/plan?include=prompts,entries', payload })).json()
    t.ok(Value.Check(PlanReplySchema, plan))
    t.equal(plan.prompts.length, 1)
    const [{ segment, prompt, tokens: promptTokens, transcript, marks }] = plan.prompts
    t.equal(segment, 'history')
    t.equal(promptTokens, plan.promptTokens)
    const shown = prompt.slice(transcript.start, transcript.end)
    t.match(shown, /^\[User\]: Read the log\. password=\[redacted:[a-z-]+\]/)
    t.match(
      marks.map(({ start, end, kind }: { start: number; end: number; kind: string }) => [
        kind,
        prompt.slice(start, end).replace(/\d+/, 'N'),
      ]),
      [
        ['replaced', /^\[redacted:[a-z-]+\]$/],
        ['cut', '[... N characters left out ...]'],
      ],
    )
  },
)

t.test('an unknown part in include is a fault of the request, and names the known ones', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({ method: 'POST', url: '/compaction/plan?include=all', payload: { entries: [] } })
  t.equal(response.statusCode, 400)
  t.match(response.json(), {
    detail:
      'The query parameter `include` must be entries or prompts or compactions, or several of them with commas between them.',
    errors: [{ pointer: '/include' }],
  })
})

t.test(
  'the window that counts is that of the request, else that of the session, else the default of the request',
  async (t) => {
    const { app } = await startApp(t)
    const line = (type: string, payload: object) => JSON.stringify({ timestamp: 't', type, payload })
    const said = (role: string, kind: string, text: string) =>
      line('response_item', { type: 'message', role, content: [{ type: kind, text }] })
    const begin = [
      line('session_meta', { id: 's' }),
      said('user', 'input_text', 'Fix it.'),
      said('assistant', 'output_text', 'Fixed.'),
    ]
    const windows = [line('event_msg', { type: 'task_started', model_context_window: 128_000 })]
    const count = (window: unknown) =>
      line('event_msg', { type: 'token_count', info: { model_context_window: window } })
    const planOf = async (lines: readonly string[], query = '') => {
      const reply = await app.inject({
        ...{ method: 'POST', url: `/compaction/plan?${query}`, payload: [...begin, ...lines].join('\n') },
        headers: { 'content-type': 'application/x-ndjson' },
      })
      const { contextWindow, thresholdTokens }: PlanReply = reply.json()
      return [contextWindow, thresholdTokens]
    }
    t.same(await planOf([]), [null, null])
    t.same(await planOf([], 'defaultContextWindow=200000'), [200_000, 170_000])
    t.same(await planOf(windows, 'defaultContextWindow=200000'), [128_000, 108_800])
    t.same(await planOf([...windows, count(258_400), count('x'), count(-1)]), [258_400, 219_640])
    t.same(await planOf(windows, 'defaultContextWindow=200000&contextWindow=100000'), [100_000, 83_616])
  },
)
