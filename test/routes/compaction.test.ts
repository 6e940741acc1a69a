import { estimateSummary } from '../../src/plan/context-size.ts'
import { textOfTokens } from '../support/text-of-tokens.ts'
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'
import t from 'tap'
import { CompactionReplySchema, type CompactionReply } from '../../src/schemas/compaction-reply.ts'
import { Value } from '@sinclair/typebox/value'
import { REQUIRED_SECTIONS } from '../../src/prompt/templates.ts'
import { TURN_CONTEXT_NOTE } from '../../src/text/summary-headings.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'
import { templates } from '../support/templates.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'

const text = textOfTokens
const user = (id: string, parentId: string | null, content: string) => ({
  type: 'message',
  id,
  parentId,
  message: { role: 'user', content },
})
const answer = (id: string, parentId: string, content: unknown[]) => ({
  type: 'message',
  id,
  parentId,
  message: { role: 'assistant', content },
})

/** Two turns; with `keepRecentTokens: 60` the second is kept. */
const SESSION = [
  { type: 'session', version: 3, id: 's', cwd: '/' },
  user('a', null, 'Fix the parser.'),
  answer('b', 'a', [
    { type: 'text', text: 'Reading.' },
    { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'src/parser.ts:1-20' } },
    { type: 'toolCall', id: 'c2', name: 'edit', arguments: { path: 'src/lexer.ts' } },
  ]),
  {
    type: 'message',
    id: 'c',
    parentId: 'b',
    message: { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: text(20), isError: false },
  },
  {
    type: 'message',
    id: 'd',
    parentId: 'c',
    message: { role: 'toolResult', toolCallId: 'c2', toolName: 'edit', content: 'ok', isError: false },
  },
  { type: 'from_the_future', id: 'e', parentId: 'd' },
  user('f', 'e', text(50)),
]
const settings = { keepRecentTokens: 60 }

t.test('the entries form is compacted, with every field of the reply', async (t) => {
  const { app } = await startApp(t, {
    summarizer: fakeSummarizer('## Goal\nFix the parser.\n\n<short-summary>I fixed it.</short-summary>'),
  })
  const response = await app.inject({
    method: 'POST',
    url: '/compaction',
    payload: { entries: SESSION, settings, preserveData: { mine: [1, null] } },
  })
  const reply = response.json()
  t.equal(response.statusCode, 200)
  t.ok(Value.Check(CompactionReplySchema, reply))
  t.ok(Number.isInteger(reply.report.durationMs))
  t.strictSame(reply, {
    summary:
      '## Goal\nFix the parser.\n\n<read-files>\nsrc/parser.ts\n</read-files>\n\n<modified-files>\nsrc/lexer.ts\n</modified-files>',
    shortSummary: 'I fixed it.',
    details: { readFiles: ['src/parser.ts'], modifiedFiles: ['src/lexer.ts'] },
    report: {
      model: 'fake',
      strategy: 'single',
      windows: 1,
      calls: 1,
      usage: { inputTokens: 10, outputTokens: 5 },
      durationMs: reply.report.durationMs,
      degraded: false,
      redactions: 0,
      checks: {
        sections: { missing: REQUIRED_SECTIONS.history.slice(1) },
        latestRequest: 'kept',
        constraints: { restored: 0 },
        evidence: { tokens: 0 },
        grounding: { checked: 0, unknown: [] },
        size: { tokens: 7, limitTokens: 500 },
        repaired: 0,
      },
      keep: {
        ...{ asked: 60, budget: 60, ratio: 1, kept: 50 },
        why: 'The message before them, with what belongs to it, does not fit; 100 would keep it too.',
      },
      ignored: { entryTypes: { from_the_future: 1 } },
    },
    firstKeptEntryId: 'e',
    isSplitTurn: false,
    tokensBefore: reply.tokensBefore,
    tokensAfter: 50 + estimateSummary(reply.summary),
    tokensOutside: 0,
    preserveData: { mine: [1, null] },
  })
})

t.test('NDJSON is the entries form, its fields are query parameters, a broken last line is skipped', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer })
  const response = await app.inject({
    method: 'POST',
    url: '/compaction?keepRecentTokens=60&reserveTokens=100&customInstructions=Only%20the%20parser.&context=One&context=Two',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: `${SESSION.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"mess`,
  })
  t.equal(response.statusCode, 200)
  t.equal(response.json().firstKeptEntryId, 'e')
  t.equal(summarizer.tasks[0]?.maxTokens, 80)
  t.match(summarizer.tasks[0]?.prompt, /<additional-context>\n- One\n- Two\n<\/additional-context>/)
  t.match(summarizer.tasks[0]?.prompt, /Additional focus: Only the parser\./)
})

t.test('query numbers that are none are named', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({
    method: 'POST',
    url: '/compaction?keepRecentTokens=many',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: JSON.stringify(SESSION[1]),
  })
  t.equal(response.statusCode, 400)
  t.same(response.json().errors, [
    {
      pointer: '/keepRecentTokens',
      detail: 'must be an integer of at least 0',
      parameter: 'keepRecentTokens',
    },
  ])
})

t.test('the messages form is compacted, in pi and in OpenAI shape', async (t) => {
  const { app } = await startApp(t)
  const messages = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Read it.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: text(20) },
    { role: 'user', content: text(50) },
  ]
  const response = await app.inject({ method: 'POST', url: '/compaction', payload: { messages, settings } })
  t.match(response.json(), {
    firstKeptEntryId: 'm4',
    isSplitTurn: false,
    details: { readFiles: ['a.ts'], modifiedFiles: [] },
  })
})

t.test('the prompt form is obeyed: its system prompt, prompt and limit, and its files are told', async (t) => {
  const summarizer = fakeSummarizer('I changed the lexer.')
  const { app } = await startApp(t, { summarizer })
  const prompt =
    '<conversation>\n[User]: hi\n\n[Assistant tool calls]: read(path="a.ts"); edit(path="b.ts")\n</conversation>\n\nSummarize.'
  const response = await app.inject({
    method: 'POST',
    url: '/compaction',
    payload: { systemPrompt: 'sys', prompt, maxTokens: 512 },
  })
  const reply = response.json()
  t.match(summarizer.tasks, [{ kind: 'prompt', systemPrompt: 'sys', prompt, maxTokens: 512 }])
  t.strictSame(reply, {
    summary: 'I changed the lexer.',
    shortSummary: 'I changed the lexer.',
    details: { readFiles: ['a.ts'], modifiedFiles: ['b.ts'] },
    report: { ...reply.report, model: 'fake', strategy: 'single' },
  })
})

t.test('without a limit the prompt form gets the cap, and more than the cap it never gets', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer, settings: { maxSummaryTokens: 1000 } })
  await app.inject({ method: 'POST', url: '/compaction', payload: { prompt: 'p' } })
  await app.inject({ method: 'POST', url: '/compaction', payload: { prompt: 'p', maxTokens: 5000 } })
  t.same(
    summarizer.tasks.map(({ maxTokens, systemPrompt }) => [maxTokens, systemPrompt]),
    [
      [1000, undefined],
      [1000, undefined],
    ],
  )
})

const TRANSCRIPT = `[User]: Fix it.\n\n[Assistant]: Reading.\n\n[Assistant tool calls]: read(path="a.ts")\n\n[Tool result]: ${text(30)}\n\n[User]: ${text(50)}`

t.test('the conversation form is summarized whole', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer })
  const payload = { conversation: TRANSCRIPT, previousSummary: 'Before.\n\n<read-files>\nold.ts\n</read-files>' }
  const reply = (await app.inject({ method: 'POST', url: '/compaction', payload })).json()
  t.notOk('keptConversation' in reply)
  t.strictSame(reply.details, { readFiles: ['a.ts', 'old.ts'], modifiedFiles: [] })
  t.match(summarizer.tasks[0]?.prompt, '<previous-summary>\nBefore.\n</previous-summary>')
})

t.test('the conversation form is cut where keepRecentTokens is given, and the rest handed back', async (t) => {
  const { app } = await startApp(t)
  const payload = { conversation: TRANSCRIPT, settings }
  const reply = (await app.inject({ method: 'POST', url: '/compaction', payload })).json()
  t.equal(reply.keptConversation, `[User]: ${text(50)}`)
})

t.test('a split turn is summarized as history and prefix, side by side', async (t) => {
  const summarizer = fakeSummarizer(({ kind }) =>
    kind === 'history' ? '## Goal\nH' : `## Original Request\n${text(50)}`,
  )
  const { app } = await startApp(t, { summarizer })
  const entries = [...SESSION, answer('g', 'f', [{ type: 'text', text: text(50) }])]
  const reply = (await app.inject({ method: 'POST', url: '/compaction', payload: { entries, settings } })).json()
  t.match(reply, { isSplitTurn: true, firstKeptEntryId: 'g' })
  t.match(
    reply.summary,
    /^## Goal\nH\n\n---\n\n\*\*Turn Context \(split turn\):\*\*\n\(Newer than all above: [^\n]*\)\n\n## Original Request\n[word ]{200,300}\n\n## User Messages\n\(Word for word, newest first\.\)\n\n> Fix the parser\.\n\n<read-files>/,
  )
  t.same(
    summarizer.tasks.map(({ kind, maxTokens }) => [kind, maxTokens]),
    [
      ['history', 13_107],
      ['turn-prefix', 8192],
    ],
  )
})

t.test('a split turn without new history keeps the previous summary unchanged, without a call for it', async (t) => {
  const summarizer = fakeSummarizer(`## Original Request\n${text(50)}`)
  const { app } = await startApp(t, { summarizer })
  const entries = [
    {
      type: 'compaction',
      id: 'z',
      parentId: null,
      summary: '## Goal\nOld.\n\n<read-files>\nold.ts\n</read-files>',
      firstKeptEntryId: 'gone',
    },
    user('a', 'z', text(50)),
    answer('b', 'a', [{ type: 'text', text: text(50) }]),
  ]
  const reply = (await app.inject({ method: 'POST', url: '/compaction', payload: { entries, settings } })).json()
  t.equal(summarizer.tasks.length, 1)
  t.equal(
    reply.summary,
    `## Goal\nOld.\n\n---\n\n**Turn Context (split turn):**\n${TURN_CONTEXT_NOTE}\n\n## Original Request\n${text(50).trim()}\n\n<read-files>\nold.ts\n</read-files>`,
  )
})

const LONG_TURN = [
  user('a', null, 'Fix the parser. Use no regular expressions.'),
  answer('b', 'a', [{ type: 'text', text: `The parser reads a nested list as one item. ${text(20)}` }]),
  answer('c', 'b', [{ type: 'text', text: text(50) }]),
]

t.test(
  'the beginning of a turn without history is one summary in the full form, with focus, override and context',
  async (t) => {
    const written =
      '## Goal\nFix the parser. Use no regular expressions.\n<short-summary>I read the parser.</short-summary>'
    const summarizer = fakeSummarizer(written)
    const { app } = await startApp(t, { summarizer })
    const guidance = { customInstructions: 'the lexer', context: ['The build is broken.'] }
    const post = async (payload: object) => (await app.inject({ method: 'POST', url: '/compaction', payload })).json()
    const reply = await post({ entries: LONG_TURN, settings, ...guidance })
    t.match(reply, { isSplitTurn: true, firstKeptEntryId: 'c', shortSummary: 'I read the parser.' })
    t.match(reply.report, { windows: 1, calls: 1, checks: { latestRequest: 'kept' } })
    t.equal(reply.summary, '## Goal\nFix the parser. Use no regular expressions.')
    const [task] = summarizer.tasks
    t.match(task, { kind: 'history', maxTokens: 13_107 })
    t.match(String(task?.prompt), /- The build is broken\.[^]*## State of the Code[^]*Additional focus: the lexer/)
    await post({ entries: LONG_TURN, settings, promptOverride: 'Name the files.' })
    t.match(String(summarizer.tasks[1]?.prompt), /<\/conversation>\n\nName the files\.\n/)
  },
)

t.test('what a client writes before the first request, as Codex does, is no history of its own', async (t) => {
  const summarizer = fakeSummarizer('## Goal\nFix the parser. Use no regular expressions.')
  const { app } = await startApp(t, { summarizer })
  const post = (content: string) => {
    const client = { type: 'custom_message', id: 'z', parentId: null, customType: 'context', content, display: false }
    const entries = [client, user('a', 'z', 'Fix the parser. Use no regular expressions.'), ...LONG_TURN.slice(1)]
    return app.inject({ method: 'POST', url: '/compaction', payload: { entries, settings } })
  }
  t.match((await post('<environment_context>\n  <cwd>/p</cwd>\n</environment_context>')).json(), { isSplitTurn: true })
  t.match(summarizer.tasks, [{ kind: 'history', maxTokens: 13_107 }])
  await post('The release is on Friday.')
  t.match(summarizer.tasks.slice(1), [{ kind: 'history' }, { kind: 'turn-prefix' }])
})

t.test('the plan shows the beginning of a turn as such, and the one prompt for it', async (t) => {
  const { app } = await startApp(t)
  const payload = { entries: LONG_TURN, settings }
  const plan = (await app.inject({ method: 'POST', url: '/compaction/plan?include=prompts', payload })).json()
  t.match(plan, { isSplitTurn: true, turnStartEntryId: 'a', firstKeptEntryId: 'c', windows: 1 })
  t.same(
    plan.entries.map(({ region }: { region: string }) => region),
    ['turn-prefix', 'turn-prefix', 'kept'],
  )
  t.same(
    plan.prompts.map(({ segment, maxTokens }: { segment: string; maxTokens: number }) => [segment, maxTokens]),
    [['history', 13_107]],
  )
})

t.test('without a model, the beginning of a turn without history has the headings of a session', async (t) => {
  const { app } = await startApp(t, { summarizer: { name: 'embedded', windowTokens: () => 128_000 } })
  const reply = (
    await app.inject({ method: 'POST', url: '/compaction', payload: { entries: LONG_TURN, settings } })
  ).json()
  t.same(reply.summary.match(/^##+ .*/gm), [
    ...['## Goal', '## Constraints & Preferences', '## Progress', '### Done', '### In Progress', '### Blocked'],
    ...['## State of the Code', '## Key Decisions', '## Next Steps', '## Critical Context'],
  ])
  t.match(
    reply.summary,
    /### In Progress\n- \[ \] Fix the parser\.[^\n]* \(its turn goes on below, and is answered there\)/,
  )
})

t.test(
  'without a model, the focus and the budget change the summary, and neither is reported as ignored',
  async (t) => {
    const { app } = await startApp(t, { summarizer: { name: 'embedded', windowTokens: () => 128_000 } })
    const explain = (topic: string, at: number): string =>
      `The ${topic} of round ${at} is slow because it reads each ${topic} twice, so it was changed to keep ${text(30)}`
    const conversation = Array.from(
      { length: 150 },
      (_, at) =>
        `[User]: Look at part ${at} now, please.\n\n[Assistant]: ${explain(at === 20 ? 'lexer' : `part-${at}`, at)}`,
    ).join('\n\n')
    const post = async (fields: object) =>
      (await app.inject({ method: 'POST', url: '/compaction', payload: { conversation, ...fields } })).json()
    const bySize = await Promise.all(
      [undefined, 2000, 1000].map((size) => post({ settings: { transcriptTokens: size } })),
    )
    const sizes = bySize.map(({ report }) => report.checks.size.tokens)
    t.ok(sizes[0] > 2000 && sizes[1] <= 2000 && sizes[1] > 1000 && sizes[2] <= 1000, sizes.join(', '))
    const focused = await post({ customInstructions: 'the lexer', settings: { transcriptTokens: 2000 } })
    t.match(focused.summary, /Look at part 20 now, please\. => The lexer of round 20 is slow/)
    t.notMatch(bySize[1].summary, 'The lexer of round 20')
    t.same(
      [focused, ...bySize].map(({ report }) => report.ignored),
      [undefined, undefined, undefined, undefined],
    )
  },
)

t.test(
  'without a model, what the user said and what failed fits the budget too, within 2 percent; file lists come on top of it',
  async (t) => {
    const { app } = await startApp(t, { summarizer: { name: 'embedded', windowTokens: () => 128_000 } })
    const rounds = Array.from({ length: 40 }, (_, at) => [
      user(`u${at}`, at === 0 ? null : `r${at - 1}`, `Change part ${at}: it has to ${text(at % 2 === 0 ? 60 : 15)}`),
      answer(`a${at}`, `u${at}`, [
        { type: 'text', text: `Part ${at} is changed in src/part-${at}.ts: ${text(25)}` },
        { type: 'toolCall', id: `c${at}`, name: 'bash', arguments: { command: `run-check part-${at}` } },
      ]),
      {
        type: 'message',
        id: `r${at}`,
        parentId: `a${at}`,
        message: {
          role: 'toolResult',
          toolCallId: `c${at}`,
          toolName: 'bash',
          content: `Error: part ${at} is not ready\nexit code 1`,
          isError: true,
        },
      },
    ]).flat()
    for (const transcriptTokens of [1000, 2000, 4000]) {
      const settings = { transcriptTokens, keepRecentTokens: 60 }
      const { summary }: CompactionReply = (
        await app.inject({ method: 'POST', url: '/compaction', payload: { entries: rounds, settings } })
      ).json()
      const tokens = estimateTextTokens(summary.replace(/\n*<(read|modified)-files>[^]*/, ''))
      t.ok(tokens > transcriptTokens / 2 && tokens < transcriptTokens * 1.02, `${tokens} of ${transcriptTokens}`)
    }
  },
)

for (const [encoding, compress] of [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)
  t.test(`a body may be ${encoding} encoded`, async (t) => {
    const { app } = await startApp(t)
    const response = await app.inject({
      method: 'POST',
      url: '/compaction',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      payload: compress(JSON.stringify({ prompt: 'p' })),
    })
    t.equal(response.statusCode, 200)
  })

const bomb = gzipSync(JSON.stringify({ prompt: 'x'.repeat(300_000) }))
const json = { 'content-type': 'application/json' }

const refusals: [name: string, request: object, status: number, type: string, pointers: string[]][] = [
  ['no JSON', { payload: '{"prompt": "secret', headers: json }, 400, 'invalid-request', ['']],
  ['an empty body', { payload: '', headers: json }, 400, 'invalid-request', ['']],
  ['no form', { payload: {} }, 400, 'invalid-request', ['']],
  ['two forms', { payload: { prompt: 'p', entries: [] } }, 400, 'invalid-request', ['']],
  ['a blank prompt', { payload: { prompt: '' } }, 400, 'invalid-request', ['/prompt']],
  ['a limit as text', { payload: { prompt: 'p', maxTokens: '5' } }, 400, 'invalid-request', ['/maxTokens']],
  [
    'a bad block',
    { payload: { messages: [{ role: 'user', content: [{ type: 'text' }] }] } },
    400,
    'invalid-request',
    ['/messages/0/content/0/text'],
  ],
  [
    'a body of broken lines',
    { payload: '\n{\n{"type":', headers: { 'content-type': 'application/x-ndjson' } },
    400,
    'invalid-request',
    ['/entries/1', '/entries/2'],
  ],
  [
    'a body of another media type that is not JSON',
    { payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    400,
    'invalid-request',
    [''],
  ],
  [
    'an unknown encoding',
    { payload: 'x', headers: { ...json, 'content-encoding': 'zzz' } },
    415,
    'unsupported-media-type',
    [],
  ],
  ['broken gzip', { payload: 'x', headers: { ...json, 'content-encoding': 'gzip' } }, 400, 'invalid-request', []],
  ['a body over the limit', { payload: { prompt: 'x'.repeat(300_000) } }, 413, 'body-too-large', []],
  ['a bomb', { payload: bomb, headers: { ...json, 'content-encoding': 'gzip' } }, 413, 'body-too-large', []],
  ['nothing to compact', { payload: { entries: SESSION } }, 422, 'nothing-to-compact', []],
  ['an empty session', { payload: { entries: [] } }, 422, 'nothing-to-compact', []],
  ['an empty transcript', { payload: { conversation: ' ' } }, 422, 'nothing-to-compact', []],
  ['an unknown leaf', { payload: { entries: SESSION, leafId: 'secret' } }, 422, 'invalid-session', ['/leafId']],
]

for (const [name, request, status, type, pointers] of refusals)
  t.test(`${name} is refused with ${status} ${type}`, async (t) => {
    const { app, log } = await startApp(t, { settings: { bodyLimitBytes: 200_000 } })
    const response = await app.inject({ method: 'POST', url: '/compaction', ...request })
    const problem = response.json()
    t.equal(response.statusCode, status)
    t.equal(response.headers['content-type'], 'application/problem+json')
    t.match(problem, { type: `urn:precis:problem:${type}`, status, title: response.statusMessage })
    t.same(
      (problem.errors ?? []).map(({ pointer }: { pointer: string }) => pointer),
      pointers,
    )
    t.notMatch(response.body + log(), /secret/)
  })

t.test('a 413 has the words on which oh-my-pi halves its window, as its reason phrase', async (t) => {
  const { app } = await startApp(t, { settings: { bodyLimitBytes: 100 } })
  const response = await app.inject({ method: 'POST', url: '/compaction', payload: { prompt: 'x'.repeat(200) } })
  t.match(response.statusMessage, /context_length_exceeded/)
})

t.test('an agent may send __proto__ as an argument: it is data', async (t) => {
  const { app } = await startApp(t)
  const payload = '{"preserveData":{"__proto__":{"x":1}},"conversation":"hi"}'
  const response = await app.inject({ method: 'POST', url: '/compaction', headers: json, payload })
  t.match(response.body, '"preserveData":{"__proto__":{"x":1}}')
  t.notOk('x' in {})
})

t.test('one log line a request, with counts and without content', async (t) => {
  const { app, log } = await startApp(t, { summarizer: fakeSummarizer('secret summary') })
  await app.inject({ method: 'POST', url: '/compaction?secret=query', payload: { prompt: 'secret prompt' } })
  const lines = log().trim().split('\n')
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? ''), {
    method: 'POST',
    route: '/compaction',
    status: 200,
    model: 'fake',
    calls: 1,
    inputTokens: 10,
  })
  t.notMatch(log(), /secret/)
})

t.test('details "full": what was done, found by code', async (t) => {
  const { app } = await startApp(t)
  const call = (id: string, command: string) => ({ type: 'toolCall', id, name: 'bash', arguments: { command } })
  const messages = [
    { role: 'user', content: 'Fix it.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I decided to patch it because it is small.' },
        call('a', 'cat a.ts'),
        call('b', 'npm test'),
        { type: 'toolCall', id: 'c', name: 'look', arguments: { depth: 2, path: 'lib', note: 'the tests' } },
      ],
    },
    { role: 'toolResult', toolCallId: 'a', content: 'text' },
    { role: 'toolResult', toolCallId: 'b', content: 'TypeError: x\n\nCommand exited with code 1', isError: true },
    { role: 'bashExecution', command: 'git mv a.ts b.ts', output: '', exitCode: 0 },
    { role: 'user', content: text(50) },
  ]
  const payload = { messages, settings: { keepRecentTokens: 50 }, details: 'full' }
  const reply = (await app.inject({ method: 'POST', url: '/compaction', payload })).json()
  t.ok(Value.Check(CompactionReplySchema, reply))
  t.strictSame(reply.details, {
    readFiles: [],
    modifiedFiles: [],
    keyDecisions: [{ text: 'I decided to patch it because it is small.', entryId: 'm1' }],
    toolsUsed: [
      { tool: 'bash', count: 2, notableUses: ['cat a.ts', 'npm test'] },
      { tool: 'look', count: 1, notableUses: ['lib'] },
    ],
    commands: [
      { command: 'cat a.ts', failed: false },
      { command: 'npm test', exitCode: 1, failed: true },
      { command: 'git mv a.ts b.ts', exitCode: 0, failed: false },
    ],
    errors: ['TypeError: x'],
    filesFromCommands: { read: ['a.ts'], modified: [], deleted: [], renamed: [{ from: 'a.ts', to: 'b.ts' }] },
    coveredEntryIds: ['m0', 'm4'],
    tokensSaved: reply.tokensBefore - reply.tokensAfter,
    compressionRatio: reply.tokensAfter / reply.tokensBefore,
  })
})

t.test('what the usage counts outside the messages is not counted as saved', async (t) => {
  const { app } = await startApp(t)
  const messages = [
    { role: 'user', content: text(400) },
    { role: 'assistant', content: text(100), usage: { input: 900, output: 100 } },
    { role: 'user', content: text(50) },
  ]
  const settings = { keepRecentTokens: 60 }
  const payload = { messages, settings, details: 'full' }
  const reply = (await app.inject({ method: 'POST', url: '/compaction', payload })).json<CompactionReply>()
  const { tokensBefore, tokensAfter = 0, tokensOutside, details } = reply
  t.same([tokensBefore, tokensOutside], [1050, 500])
  t.equal(tokensAfter, 50 + estimateSummary(reply.summary))
  t.match(details, { tokensSaved: 550 - tokensAfter, compressionRatio: (tokensAfter + 500) / 1050 })

  // The summary is longer than what it replaces, although the provider counted more than the messages.
  const longer = { ...payload, native: true, summary: text(510) }
  const refused = (await app.inject({ method: 'POST', url: '/compaction', payload: longer })).json()
  t.equal(refused.type, 'urn:precis:problem:nothing-gained')
})

t.test('a second compaction without usage since the first one says what was outside before that one', async (t) => {
  const { app } = await startApp(t)
  const usage = { input: 900, output: 100, cacheRead: 0, cacheWrite: 0 }
  const counted = { role: 'assistant', content: [{ type: 'text', text: text(100) }], usage }
  const entries = [
    user('a', null, text(400)),
    { type: 'message', id: 'b', parentId: 'a', message: counted },
    { type: 'compaction', id: 'c', parentId: 'b', summary: 'Older.', firstKeptEntryId: 'none' },
    user('d', 'c', text(300)),
    user('e', 'd', text(50)),
  ]
  const payload = { entries, settings: { keepRecentTokens: 60 } }
  const [done, plan] = await Promise.all(
    ['/compaction', '/compaction/plan'].map((url) => app.inject({ method: 'POST', url, payload })),
  )
  const before = { tokensOutside: 0, lastTokensOutside: 500 }
  t.match(done?.json(), { ...before, tokensOutsideAfter: 500, tokensBefore: 350 + estimateSummary('Older.') })
  t.match(plan?.json(), { ...before, contextTokens: 350 + estimateSummary('Older.') })
})

t.test('style "continuation": another prompt, a lower limit, no sections asked for', async (t) => {
  const summarizer = fakeSummarizer('Go on with the lexer.')
  const { app } = await startApp(t, { summarizer })
  await app.inject({
    method: 'POST',
    url: '/compaction',
    payload: { entries: SESSION, settings, style: 'continuation' },
  })
  t.match(summarizer.tasks, [{ kind: 'continuation', maxTokens: 1500 }])
  t.match(summarizer.tasks[0]?.prompt, templates.continuation)
  t.notMatch(summarizer.tasks[0]?.prompt, '## Goal')
})

t.test('a byte order mark before the body is passed over', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({
    method: 'POST',
    url: '/compaction',
    headers: json,
    payload: '\uFEFF{"prompt":"p"}',
  })
  t.equal(response.statusCode, 200)
})

t.test('a request from before a reset does not come back in a summary', async (t) => {
  const { app } = await startApp(t, { summarizer: fakeSummarizer('## Goal\nWork on.') })
  const entries = [
    user('a', null, 'Delete the old reports.'),
    { type: 'reset_boundary', id: 'r', parentId: 'a' },
    answer('b', 'r', [{ type: 'text', text: text(100) }]),
    answer('c', 'b', [{ type: 'text', text: text(50) }]),
  ]
  const response = await app.inject({ method: 'POST', url: '/compaction', payload: { entries, settings } })
  const { summary, report } = response.json()
  t.equal(response.statusCode, 200)
  t.notMatch(summary, /old reports/)
  t.equal(report.checks.latestRequest, undefined)
})

t.test('include=provenance without a session is reported as not read', async (t) => {
  const { app } = await startApp(t)
  const url = '/compaction?include=provenance'
  for (const form of [
    { conversation: '[User]: Fix it.\n\n[Assistant]: Done.' },
    { prompt: 'Summarize: it is done.' },
  ]) {
    const { report } = (await app.inject({ method: 'POST', url, payload: { ...form, other: 1 } })).json()
    t.same(report.ignored, { fields: { other: 1 }, query: { include: 1 } })
  }
})

t.test('the event `plan` announces no prompt if the request has brought the summary', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer })
  const messages = ['Fix it.', 'Go on.'].flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: 'Done.' },
  ])
  const payload = { messages, summary: '## Goal\nFix it.', settings: { keepRecentTokens: 1 } }
  const { body } = await app.inject({
    ...{ method: 'POST', url: '/compaction', payload },
    headers: { accept: 'text/event-stream' },
  })
  const [, plan = ''] = /^event: plan\ndata: (.*)$/m.exec(body) ?? []
  t.match(JSON.parse(plan), { windows: 0, promptTokens: 0, firstKeptEntryId: String })
  t.match(body, /^event: result$/m)
  t.equal(summarizer.tasks.length, 0)
})

t.test('?candidate=embedded asks no model, and an unknown candidate is a fault of the request', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer })
  const payload = { conversation: '[User]: Fix the build, please.\n\n[Assistant]: Done.' }
  const reply = await app.inject({ method: 'POST', url: '/compaction?candidate=embedded', payload })
  t.match(reply.json(), { report: { model: 'embedded', calls: 0, ignored: undefined } })
  t.equal(summarizer.tasks.length, 0)
  const unknown = await app.inject({ method: 'POST', url: '/compaction?candidate=gpt-99', payload })
  t.match([unknown.statusCode, unknown.json()], [400, { errors: [{ pointer: '/candidate' }] }])
})

t.test(
  'the embedded summarizer writes one text of a summary of another form and the beginning of a turn',
  async (t) => {
    const { app } = await startApp(t)
    const summary =
      '1. Primary Request and Intent:\n   Fix the parser.\n2. Current Work:\n   The tests pass.\n3. All User Messages:\n   - "Fix it"'
    const entries = [
      user('a', null, 'Fix the parser.'),
      { type: 'compaction', id: 'b', parentId: 'a', summary, firstKeptEntryId: 'c', tokensBefore: 9 },
      user('c', 'b', text(300)),
      answer('d', 'c', [{ type: 'text', text: 'Done.' }]),
    ]
    const reply = await app.inject({
      ...{ method: 'POST', url: '/compaction?candidate=embedded' },
      payload: { entries, settings: { keepRecentTokens: 1 } },
    })
    const { summary: written, isSplitTurn } = reply.json<CompactionReply>()
    t.equal(isSplitTurn, true)
    t.match(written, /^## Goal\nNewest request:\n> word [^]*\n\nEarlier goal:\nFix the parser\.\n\n## Constraints/)
    t.match(written, /### In Progress\n- \[ \] word [^\n]* \(its turn goes on below, and is answered there\)/)
    t.match(written, '## Critical Context\nAll User Messages:\n- "Fix it"')
    t.notMatch(written, 'Turn Context')
  },
)
