import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { Problem } from '../../../src/errors.ts'
import { UNOBSERVED } from '../../../src/model/observer.ts'
import { createMemoryStore } from '../../../src/model/sharing/result-store.ts'
import { createOpenAiSummarizer } from '../../../src/model/openai/openai-summarizer.ts'
import {
  completion,
  startModelServer,
  type Script,
  type RecordedRequest,
  type Reply,
} from '../../support/model-server.ts'
import { FAULTS, errorReply, refusedParameter } from '../../support/model-replies.ts'
import { candidates, openBudget, OUR_KEY, outcomeOf, startSummarizer, TASK } from '../../support/start-summarizer.ts'
import { createTask, type SummaryTask } from '../../../src/prompt/task.ts'
import { chunkClientPrompt } from '../../../src/prompt/chunk-prompt.ts'
import { estimateTextTokens } from '../../../src/tokens/estimate-tokens.ts'
import { templates } from '../../support/templates.ts'
import { textOfTokens } from '../../support/text-of-tokens.ts'
import { until } from '../../support/until.ts'

t.test('the model server sees the system prompt, the prompt and the limit, and nothing else', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['A summary.'])
  t.strictSame(await summarizer.summarize(TASK, openBudget()), {
    text: 'A summary.',
    model: 'first',
    calls: 1,
    usage: { inputTokens: 100, outputTokens: 10 },
    redactions: 0,
    chunks: 1,
    lastPrompt: { prompt: TASK.prompt, promptTokens: TASK.promptTokens },
  })
  t.strictSame(
    server.requests.map(({ method, path, headers, body }) => [method, path, headers.authorization, body]),
    [
      [
        'POST',
        '/v1/chat/completions',
        `Bearer ${OUR_KEY}`,
        {
          model: 'first',
          messages: [
            { role: 'system', content: 'Be exact.' },
            { role: 'user', content: 'Summarize.' },
          ],
          max_completion_tokens: 50,
        },
      ],
    ],
  )
})

t.test('without a system prompt there is no system message', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['A summary.'])
  const { systemPrompt: _, ...task } = TASK
  await summarizer.summarize(task, openBudget())
  t.strictSame(server.requests[0]?.body['messages'], [{ role: 'user', content: 'Summarize.' }])
})

t.test('a configured reasoning effort is sent', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['A summary.'], { reasoningEffort: 'low' })
  await summarizer.summarize(TASK, openBudget())
  t.equal(server.requests[0]?.body['reasoning_effort'], 'low')
})

t.test('without a key a placeholder is sent, since the SDK requires one', async (t) => {
  const server = await startModelServer(t, ['A summary.'])
  const summarizer = createOpenAiSummarizer({
    baseUrl: server.url,
    candidates: candidates('first'),
    maxSummaryTokens: 1000,
    concurrency: 1,
    brevityDemand: '',
  })
  t.equal((await summarizer.summarize(TASK, openBudget())).text, 'A summary.')
  t.equal(server.requests[0]?.headers.authorization, 'Bearer none')
})

t.test('environment variables of the SDK are not sent to a server', async (t) => {
  const names = ['OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_ADMIN_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL']
  for (const name of names) process.env[name] = 'http://from-the-environment.invalid'
  t.teardown(() => {
    for (const name of names) Reflect.deleteProperty(process.env, name)
  })
  const { summarizer, server } = await startSummarizer(t, ['A summary.'])
  await summarizer.summarize(TASK, openBudget())
  t.notMatch(inspect(server.requests[0]?.headers), /from-the-environment/)
})

/** Words of which no two are equal: an answer that repeats itself is a fault of its own. */
const wordsTo = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(' ')

/** The budget of a request with a service token. */
const budgetOf = (tokenDigest: string) => ({ ...openBudget(), tokenDigest })

/** The replies of one candidate's server, the expected outcome, and the expected waits in milliseconds. */
type Row = [
  name: string,
  script: Script,
  outcome: { text: string } | { type: string; detail: string },
  waits?: number[],
]

const CHECK_CONFIGURATION = 'Check the API key and the model names in the configuration of the service.'
const SHORTER_PROMPT = 'Send a shorter prompt, or configure a model with a larger context window.'

const REFUSAL = "I'm sorry, but I can't help with that."

const failed = (detail: string) => ({ type: 'model-failed', detail: `first: ${detail}.` })
const misconfigured = (detail: string) => ({
  type: 'model-misconfigured',
  detail: `first: ${detail}. ${CHECK_CONFIGURATION}`,
})
const tooLarge = () => ({
  type: 'prompt-too-large',
  detail: `first: the model server rejected the prompt as too long (HTTP 400). ${SHORTER_PROMPT}`,
})
const ok = { text: 'ok' }

const ROWS: [calls: number, rows: Row[]][] = [
  [
    1,
    [
      ['thinking before the answer', ['<think>hm</think>\nok'], ok],
      ['a fence around the answer', ['```markdown\nok\n```'], ok],
      ['a tool call after the answer', ['ok\n<tool_call>{}</tool_call>'], ok],
      ['an answer in parts', [{ message: { content: [{ type: 'text', text: 'ok' }] } }], ok],
      ['no finish reason and no usage', [{ finishReason: null, usage: null }], ok],
      [
        '429 with a wait of ten minutes',
        [FAULTS.rateLimitedForLong],
        failed('the model server limited the rate of requests (HTTP 429)'),
      ],
      [
        'a used up quota',
        [FAULTS.outOfQuota],
        misconfigured('the account of the API key has no credit left (HTTP 429)'),
      ],
      ['content_filter', [FAULTS.filtered], failed('the model refused to answer')],
      ['a refusal', [FAULTS.refused], failed('the model refused to answer')],
      ['401', [FAULTS.wrongKey], misconfigured('the model server rejected the API key (HTTP 401)')],
      ['402', [{ status: 402 }], misconfigured('the account of the API key has no credit left (HTTP 402)')],
      ['403', [{ status: 403 }], misconfigured('the model server rejected the API key (HTTP 403)')],
      ['404', [FAULTS.unknownModel], misconfigured('the model server does not know this model (HTTP 404)')],
      ['a prompt that is too long', [FAULTS.tooLong], tooLarge()],
      [
        'the same with the error at the top level',
        [{ status: 400, body: { message: 'prompt is too long' } }],
        tooLarge(),
      ],
      ['the same as a bare string', [{ status: 400, body: { error: 'prompt is too long' } }], tooLarge()],
      ['the same as plain text', [{ status: 400, body: 'prompt is too long' }], tooLarge()],
      ['the same in a 200', [{ body: { error: { code: 400, message: 'prompt is too long' } } }], tooLarge()],
      [
        '413 without a word about tokens',
        [{ status: 413 }],
        {
          type: 'prompt-too-large',
          detail: `first: the model server, or a proxy before it, rejected the request as too large (HTTP 413). ${SHORTER_PROMPT}`,
        },
      ],
      [
        'a redirect to another origin',
        [{ status: 307, headers: { location: 'http://127.0.0.1:1/v1' }, body: '' }],
        misconfigured(
          'the model server redirects to another origin, where no prompt is sent: OPENAI_BASE_URL must be the final address',
        ),
      ],
      ['a completion as text/plain', [{ headers: { 'content-type': 'text/plain' } }], ok],
      [
        'a compressed completion',
        [{ headers: { 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify(completion())) }],
        ok,
      ],
      ['any other 400', [FAULTS.badRequest], failed('the model server rejected the request (HTTP 400)')],
      [
        'a status without a body',
        [{ status: 304, body: '' }],
        failed('the model server rejected the request (HTTP 304)'),
      ],
    ],
  ],
  [
    2,
    [
      ['429 that passes', [FAULTS.rateLimited, 'ok'], ok, [500]],
      ['429 with a wait of 7 s', [{ status: 429, headers: { 'retry-after': '7' } }, 'ok'], ok, [7000]],
      ['408 that passes', [{ status: 408 }, 'ok'], ok, [500]],
      ['409 that passes', [{ status: 409 }, 'ok'], ok, [500]],
      ['500 that passes', [FAULTS.internal, 'ok'], ok, [500]],
      ['529 that passes', [FAULTS.overloaded, 'ok'], ok, [500]],
      ['an error in a 200', [{ body: { error: { message: 'Provider error' } } }, 'ok'], ok, [500]],
      ['a broken connection', [FAULTS.dropped, 'ok'], ok, [500]],
      ['a connection that breaks in the body', [FAULTS.droppedInBody, 'ok'], ok, [500]],
      ['HTML that passes', [FAULTS.html, 'ok'], ok, [500]],
      ['HTML', [FAULTS.html], failed('the reply was not a usable chat completion'), [500]],
      ['broken JSON', [FAULTS.brokenJson], failed('the reply was not a usable chat completion'), [500]],
      ['no body', [FAULTS.noBody], failed('the reply was not a usable chat completion'), [500]],
      ['a null', [FAULTS.nullBody], failed('the reply was not a usable chat completion'), [500]],
      ['no choices', [FAULTS.noChoices], failed('the reply was not a usable chat completion'), [500]],
      ['a tool call', [FAULTS.toolCall], failed('the reply was not a usable chat completion'), [500]],
      ['an empty answer', [FAULTS.empty], failed('the reply had no text'), [500]],
      ['a null answer', [FAULTS.nullText], failed('the reply had no text'), [500]],
      ['white space', [FAULTS.whitespace], failed('the reply had no text'), [500]],
      ['thinking and nothing else', [FAULTS.thinkOnly], failed('the reply had no text'), [500]],
      ['thinking without an end', [FAULTS.unclosedThink], failed('the reply had no text'), [500]],
      ['a tool call as text', [FAULTS.toolCallText], failed('the reply had no text'), [500]],
      ['5 MB', [{ text: 'ab '.repeat(1_700_000) }], failed('the reply was larger than 4 MiB'), [500]],
      ['5 MB that pass', [{ text: 'ab '.repeat(1_700_000) }, 'ok'], ok, [500]],
      ['a refusal in words', [REFUSAL], failed('the model refused to answer, in its own words'), [500]],
      ['a refusal in words that passes', [REFUSAL, 'ok'], ok, [500]],
      ['a loop', ['a b '.repeat(1000)], failed('the answer repeats itself over and over'), [500]],
      ['an empty answer that passes', [FAULTS.empty, 'ok'], ok, [500]],
      ['length with text that passes', [FAULTS.cutOff, 'ok'], ok],
      ['length with text', [FAULTS.cutOff], failed('the summary was cut off at the output limit')],
      ['length without text that passes', [FAULTS.spentThinking, 'ok'], ok],
      ['length without text', [FAULTS.spentThinking], failed('the model used up the output limit for thinking')],
      ['an unsupported max_completion_tokens', [refusedParameter('max_completion_tokens'), 'ok'], ok],
      ['a limit that is too large', [errorReply(400, 'Range of max_tokens should be [1, 256]'), 'ok'], ok],
    ],
  ],
  [
    3,
    [
      ['429', [FAULTS.rateLimited], failed('the model server limited the rate of requests (HTTP 429)'), [500, 1000]],
      ['500 and 503', [FAULTS.internal, FAULTS.unavailable, 'ok'], ok, [500, 1000]],
      [
        '500 whose body breaks off',
        [{ status: 500, drop: 'in-body' }],
        failed('the model server failed (HTTP 500)'),
        [500, 1000],
      ],
      ['503', [FAULTS.unavailable], failed('the model server failed (HTTP 503)'), [500, 1000]],
      ['529', [FAULTS.overloaded], failed('the model server failed (HTTP 529)'), [500, 1000]],
      ['broken connections', [FAULTS.dropped], failed('the connection to the model server broke'), [500, 1000]],
      [
        'connections that break in the body',
        [FAULTS.droppedInBody],
        failed('the connection to the model server broke'),
        [500, 1000],
      ],
      ['thinking up to the limit, then too much text', [FAULTS.spentThinking, wordsTo(100), 'ok'], ok],
      [
        'thinking up to the limit, then too much text twice',
        [FAULTS.spentThinking, wordsTo(100)],
        failed('the summary was longer than the output limit'),
      ],
      [
        'two unsupported parameters',
        [refusedParameter('max_completion_tokens'), errorReply(400, 'Range of max_tokens should be [1, 256]'), 'ok'],
        ok,
      ],
    ],
  ],
]

for (const [calls, rows] of ROWS)
  for (const [name, script, expected, expectedWaits = []] of rows)
    t.test(`${name}: ${'text' in expected ? 'a summary' : expected.type} in ${calls} calls`, async (t) => {
      const { summarizer, server, waits } = await startSummarizer(t, script)
      const outcome = await outcomeOf(summarizer.summarize(TASK, openBudget()))
      t.strictSame(outcome, 'text' in expected ? { ...expected, calls } : expected)
      t.equal(server.requests.length, calls)
      t.strictSame(waits, expectedWaits)
    })

t.test('a server that rejects every parameter is not called again', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ({ body }) => refusedParameter(Object.keys(body).join(' ')), {
    reasoningEffort: 'low',
  })
  t.match(await outcomeOf(summarizer.summarize(TASK, openBudget())), { type: 'model-failed' })
  t.same(
    server.requests.map(({ body }) => Object.keys(body).slice(2)),
    [['max_completion_tokens', 'reasoning_effort'], ['max_completion_tokens'], ['max_tokens']],
  )
})

t.test(
  'after finish reason length without text the cap is the limit, and the text must still fit the task',
  async (t) => {
    const { summarizer, server } = await startSummarizer(t, [FAULTS.spentThinking, wordsTo(100), 'ok'])
    await summarizer.summarize(TASK, openBudget())
    t.same(
      server.requests.map(({ body }) => [body['max_completion_tokens'], (body['messages'] as object[])[1]]),
      [
        [50, { role: 'user', content: 'Summarize.' }],
        [1000, { role: 'user', content: 'Summarize.' }],
        [1000, { role: 'user', content: 'Summarize.\n\nBe much shorter.' }],
      ],
    )
  },
)

t.test(
  'when the cap was the limit already, finish reason length without text leads to a demand for brevity',
  async (t) => {
    const { summarizer, server } = await startSummarizer(t, [FAULTS.spentThinking, 'ok'])
    await summarizer.summarize({ ...TASK, maxTokens: 1000 }, openBudget())
    t.match(server.requests[1]?.body, {
      messages: [{}, { content: 'Summarize.\n\nBe much shorter.' }],
      max_completion_tokens: 1000,
    })
  },
)

t.test('finish reason length with text leads to a demand for brevity', async (t) => {
  const { summarizer, server } = await startSummarizer(t, [FAULTS.cutOff, 'ok'])
  await summarizer.summarize(TASK, openBudget())
  t.match(server.requests[1]?.body, {
    messages: [{}, { content: 'Summarize.\n\nBe much shorter.' }],
    max_completion_tokens: 50,
  })
})

t.test('an answer within the server’s limit is accepted, whatever our estimate is', async (t) => {
  const text = wordsTo(100)
  const { summarizer } = await startSummarizer(t, [text])
  t.equal((await summarizer.summarize(TASK, openBudget())).text, text)
})

t.test('unsupported parameters are remembered for their caller, separately for each candidate', async (t) => {
  const { summarizer, server } = await startSummarizer(
    t,
    ({ body }) => {
      if (body['model'] === 'second') return 'ok'
      if ('reasoning_effort' in body) return refusedParameter('reasoning_effort')
      if ('max_completion_tokens' in body) return refusedParameter('max_completion_tokens')
      return (body['max_tokens'] as number) > 20
        ? errorReply(400, 'Range of max_tokens should be [1, 200]')
        : FAULTS.refused
    },
    { reasoningEffort: 'low', candidates: candidates('first', 'second') },
  )
  const task = { ...TASK, maxTokens: 300 }
  t.equal((await summarizer.summarize(task, budgetOf('A'))).calls, 5)
  t.equal((await summarizer.summarize(task, budgetOf('A'))).calls, 2)
  t.strictSame(
    server.requests.slice(-2).map(({ body: { messages: _, ...rest } }) => rest),
    [
      { model: 'first', max_tokens: 200 },
      { model: 'second', max_completion_tokens: 300, reasoning_effort: 'low' },
    ],
  )
})

t.test('tokens of failed calls are counted as well', async (t) => {
  const { summarizer } = await startSummarizer(t, [FAULTS.empty, FAULTS.internal, 'ok'])
  t.strictSame((await summarizer.summarize(TASK, openBudget())).usage, { inputTokens: 200, outputTokens: 20 })
})

t.test('no error contains our key or the server’s text', async (t) => {
  for (const fault of [FAULTS.wrongKey, FAULTS.internal, FAULTS.tooLong, FAULTS.html]) {
    const { summarizer } = await startSummarizer(t, [fault])
    const error = await summarizer.summarize(TASK, openBudget()).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    t.ok(error instanceof Problem)
    t.notMatch((error as Problem).message, /sk-our|upstream|8192|Sign in/)
    t.strictSame((error as Problem).faults, [])
  }
})

/** A client's prompt with so many blocks of about 500 tokens, told apart by their numbers. */
function taskOf(blocks: number, maxTokens = 400, systemPrompt?: string): SummaryTask {
  const transcript = Array.from({ length: blocks }, (_, index) => `[User]: block ${index}. ${textOfTokens(492)}`)
  const prompt = `<conversation>\n${transcript.join('\n\n')}\n</conversation>\n\n<previous-summary>\nThe old one.\n</previous-summary>\n\nSummarize it.`
  return createTask({ kind: 'prompt', systemPrompt, maxTokens, ...chunkClientPrompt(prompt, templates) })
}

const promptOf = ({ body }: RecordedRequest): string =>
  (body['messages'] as { content: string }[]).map(({ content }) => content).join('\n')

const blocksIn = (text: string): number[] => Array.from(text.matchAll(/block (\d+)\./g), ([, digits]) => Number(digits))

const isMerge = (request: RecordedRequest): boolean => promptOf(request).includes('--- Part 1 of')

/** Replies with the numbers of the blocks in the prompt. */
const listBlocks = (request: RecordedRequest): Reply => ({
  text: blocksIn(promptOf(request))
    .map((number) => `block ${number}.`)
    .join(' '),
})

const window = (model: string, contextWindow: number) => ({ model, contextWindow })
const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

t.test('a transcript larger than the window is summarized in parallel chunks, and merged in order', async (t) => {
  // No part is answered before all four have come: one after the other they would wait for ever.
  const { summarizer, server } = await startSummarizer(
    t,
    (request) => ({ ...listBlocks(request), after: until(() => server.requests.length >= 4) }),
    { candidates: [window('first', 8000)] },
  )
  const draft = await summarizer.summarize(taskOf(40), openBudget())
  t.same(blocksIn(draft.text), range(40))
  t.equal(draft.chunks, 4)
  t.equal(draft.calls, 5)
  t.equal(server.maxConcurrent(), 4)
  const [merge, ...others] = server.requests.slice().reverse()
  t.equal(isMerge(merge!), true)
  t.equal(others.some(isMerge), false)
  t.equal(draft.lastPrompt?.prompt.toString(), promptOf(merge!))
  for (const request of server.requests) t.match(promptOf(request), /The old one\.[^]*Summarize it\./)
  t.same(
    server.requests.map(({ body }) => body['max_completion_tokens']),
    [200, 200, 200, 200, 400],
  )
})

t.test('each chunk is called the beginning, the middle or the end of the transcript', async (t) => {
  const { summarizer, server } = await startSummarizer(t, listBlocks, { candidates: [window('first', 8000)] })
  t.equal((await summarizer.summarize(taskOf(30), openBudget())).chunks, 3)
  const prompts = server.requests.filter((request) => !isMerge(request)).map(promptOf)
  const inOrder = prompts.sort((a, b) => (blocksIn(a)[0] ?? 0) - (blocksIn(b)[0] ?? 0))
  t.strictSame(
    inOrder.map((prompt) => /its beginning|a part from its middle|its end/.exec(prompt)?.[0]),
    ['its beginning', 'a part from its middle', 'its end'],
  )
})

t.test('too many chunks are merged in levels', async (t) => {
  const { summarizer, server } = await startSummarizer(
    t,
    (request) => ({ text: `${listBlocks(request).text ?? ''} ${wordsTo(isMerge(request) ? 30 : 300)}` }),
    { candidates: [window('first', 2500)] },
  )
  const draft = await summarizer.summarize(taskOf(40), openBudget())
  t.same(blocksIn(draft.text), range(40))
  const merges = server.requests.filter(isMergeOrInner).length
  t.ok(merges > 2, `${merges} merges`)
  t.equal(draft.chunks, server.requests.length - merges)
})

const isMergeOrInner = (request: RecordedRequest): boolean => promptOf(request).includes('--- Part ')

t.test(
  'after a server rejects a prompt as too long, smaller chunks are sent, and the window is remembered',
  async (t) => {
    const { summarizer, server } = await startSummarizer(t, (request) =>
      estimateTextTokens(promptOf(request)) > 8000 ? errorReply(400, 'prompt is too long') : listBlocks(request),
    )
    const draft = await summarizer.summarize(taskOf(40), budgetOf('A'))
    t.same(blocksIn(draft.text), range(40))
    t.equal(summarizer.windowTokens(), 128_000, 'one caller proves nothing')
    const rejectedOf = async (caller: string) => {
      const before = server.requests.length
      await summarizer.summarize(taskOf(40), budgetOf(caller))
      return server.requests.slice(before).filter((request) => estimateTextTokens(promptOf(request)) > 8000).length
    }
    t.equal(await rejectedOf('A'), 0)
    t.equal(await rejectedOf('B'), 1, 'another caller tries the configured window once')
    t.ok(summarizer.windowTokens() <= 12_000 && summarizer.windowTokens() > 4000, `${summarizer.windowTokens()}`)
    t.equal(await rejectedOf('C'), 0, 'two callers prove it')
  },
)

/** An answer that repeats the whole request in an error, as FastAPI does. */
const echo = ({ body }: RecordedRequest): Reply => ({
  status: 422,
  body: { detail: [{ type: 'value_error', loc: ['body'], msg: 'Value error', input: body }] },
})

/** Something that a tool has printed in a session. */
const saying = (text: string): SummaryTask => {
  const { prompt, maxTokens } = taskOf(6)
  const said = prompt.toString().replace('block 0.', `block 0. ${text}.`)
  return createTask({ kind: 'prompt', maxTokens, ...chunkClientPrompt(said, templates) })
}

const OVERFLOW = errorReply(400, 'prompt is too long')

/** What A's request meets once, and what A's session says. */
const POISONS: [name: string, fault: (request: RecordedRequest) => Reply, said: string][] = [
  ['a proxy that says 413', () => ({ status: 413 }), 'nothing'],
  ['a server that says that the prompt is too long', () => OVERFLOW, 'nothing'],
  ['an echo with a window', echo, 'maximum context length is 1100 tokens'],
  ['an echo with a limit', echo, 'max_tokens: this model supports at most 100 completion tokens'],
  ['an echo with an unsupported parameter', echo, 'max_completion_tokens and reasoning_effort'],
]

for (const [name, fault, said] of POISONS)
  for (const callers of [
    ['A', 'B'],
    ['', ''],
  ] as const)
    t.test(`${name} makes no later request dearer, with callers ${JSON.stringify(callers)}`, async (t) => {
      const { summarizer, server } = await startSummarizer(t, (request, index) =>
        index === 0 ? fault(request) : listBlocks(request),
      )
      await outcomeOf(summarizer.summarize(saying(said), budgetOf(callers[0])))
      const before = server.requests.length
      const task = taskOf(80, 2000)
      const draft = await summarizer.summarize(task, budgetOf(callers[1]))
      t.same([draft.calls, server.requests.length - before], [1, 1])
      const { messages: _messages, ...rest } = server.requests.at(-1)?.body ?? {}
      t.same(rest, { model: 'first', max_completion_tokens: 2000 })
      t.equal(summarizer.windowTokens(), 128_000)
    })

t.test('what a passing fault has taught its own caller is forgotten after ten minutes', async (t) => {
  let nowMs = 1_700_000_000_000
  const { summarizer } = await startSummarizer(t, (request, index) => (index === 0 ? OVERFLOW : listBlocks(request)), {
    now: () => nowMs,
  })
  const budget = () => ({ ...budgetOf('A'), deadlineAt: nowMs + 100_000 })
  await summarizer.summarize(taskOf(6), budget())
  t.ok((await summarizer.summarize(taskOf(40), budget())).calls > 1)
  nowMs += 600_000
  t.equal((await summarizer.summarize(taskOf(40), budget())).calls, 1)
})

t.test('a chunk that fails on one candidate goes to the next', async (t) => {
  const { summarizer } = await startSummarizer(
    t,
    (request) =>
      request.body['model'] === 'first' && blocksIn(promptOf(request))[0] === 0 ? FAULTS.refused : listBlocks(request),
    { candidates: [window('first', 8000), window('second', 8000)] },
  )
  t.same(blocksIn((await summarizer.summarize(taskOf(40), openBudget())).text), range(40))
})

t.test('chunks are not sent to a candidate that has failed at the whole', async (t) => {
  const { summarizer, server } = await startSummarizer(
    t,
    (request) => (request.body['model'] === 'first' ? FAULTS.refused : listBlocks(request)),
    { candidates: [window('first', 128_000), window('second', 8000)] },
  )
  const draft = await summarizer.summarize(taskOf(40), openBudget())
  t.same([blocksIn(draft.text), draft.chunks], [range(40), 4])
  const calls = server.requests.filter((request) => !isMerge(request))
  t.same(
    calls.map(({ body }) => body['model']),
    ['first', 'second', 'second', 'second', 'second'],
  )
})

t.test('when a chunk fails for good, calls in flight finish and no further call starts', async (t) => {
  const outcomes: string[] = []
  const callStarted = () => ({ headers: {}, end: (outcome: string) => void outcomes.push(outcome) })
  // The other part is answered once the failure of the first is known.
  const after = until(() => outcomes.length > 0)
  const { summarizer, server } = await startSummarizer(
    t,
    (request) => (blocksIn(promptOf(request))[0] === 0 ? FAULTS.wrongKey : { ...listBlocks(request), after }),
    { candidates: [window('first', 8000)], concurrency: 2, observer: { ...UNOBSERVED, callStarted } },
  )
  await t.rejects(
    summarizer.summarize(taskOf(80), openBudget()),
    new Problem(
      'model-misconfigured',
      `first: the model server rejected the API key (HTTP 401). ${CHECK_CONFIGURATION}`,
    ),
  )
  t.same(outcomes, ['refused-key', 'ok'])
  t.equal(server.requests.length, 2)
  t.same(
    server.requests.map(({ aborted }) => aborted),
    [false, false],
  )
})

t.test('a server that fails gets a few calls, however many parts a transcript has', async (t) => {
  const { summarizer, server } = await startSummarizer(t, () => FAULTS.internal, {
    candidates: [window('first', 2500)],
    concurrency: 2,
  })
  t.match(await outcomeOf(summarizer.summarize(taskOf(80), openBudget())), { type: 'model-failed' })
  t.ok(server.requests.length <= 2 * 3, `${server.requests.length} calls`)
})

t.test('a prompt that is too long and has no conversation tags is rejected without a call', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['ok'], { candidates: [window('first', 8000)] })
  const { chunking: _chunking, ...task } = taskOf(40)
  t.match(await outcomeOf(summarizer.summarize(task, openBudget())), { type: 'prompt-too-large' })
  t.equal(server.requests.length, 0)
})

t.test('when the text around the transcript fills the window, the prompt is too large', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['ok'], { candidates: [window('first', 2000)] })
  const task = taskOf(40, 400, textOfTokens(2000))
  t.match(await outcomeOf(summarizer.summarize(task, openBudget())), {
    type: 'prompt-too-large',
  })
  t.equal(server.requests.length, 0)
})

t.test('a disconnect ends the calls of all chunks', async (t) => {
  const { summarizer, server } = await startSummarizer(t, [FAULTS.stalled], { candidates: [window('first', 8000)] })
  const { controller, ...budget } = openBudget()
  const summarizing = summarizer.summarize(taskOf(40), budget)
  await until(() => server.requests.length === 4)
  controller.abort(new Error('gone'))
  await t.rejects(summarizing, { message: 'gone' })
  await Promise.all(server.requests.map(({ ended }) => ended))
  t.equal(server.requests.length, 4)
})

t.test('one candidate can be asked alone, and its answers are not those of the others', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['Of the first.', 'Of the second.'], {
    candidates: candidates('first', 'second'),
    store: createMemoryStore({ entries: 10, ttlMs: 60_000 }),
  })
  t.match(await summarizer.summarize(TASK, openBudget()), { text: 'Of the first.', model: 'first' })
  t.match(await summarizer.only?.('second')?.summarize(TASK, openBudget()), { text: 'Of the second.', model: 'second' })
  t.equal(summarizer.only?.('third'), undefined)
  t.equal(server.requests.length, 2)
})
