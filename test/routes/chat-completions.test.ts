import OpenAI from 'openai'
import t, { type Test } from 'tap'
import fc from 'fast-check'
import { Problem } from '../../src/errors.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { readSettings } from '../../src/settings.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startModelServer, type Script } from '../support/model-server.ts'
import { listenApp, type StartOptions } from '../support/start-app.ts'
import { templates } from '../support/templates.ts'
import { writeChatChunks } from '../../src/use-cases/chat/route.ts'
import type { ChatCompletionReply } from '../../src/schemas/chat-completion.ts'

const KEY = 'sk-the-callers-own-key'
const CHAT = [
  { role: 'system' as const, content: 'You compact conversations.' },
  { role: 'user' as const, content: 'Fix the importer.' },
  { role: 'assistant' as const, content: 'It is fixed.' },
  { role: 'user' as const, content: 'Summarize what was done.' },
]

/** The service on a socket, and the client that most of the world has. */
async function startClient(t: Test, options: StartOptions = {}) {
  const started = await listenApp(t, options)
  return { ...started, client: new OpenAI({ baseURL: `${started.url}/v1`, apiKey: KEY, maxRetries: 0 }) }
}

/** The same with a model's server behind it. */
async function startWithModel(t: Test, script: Script, environment: Record<string, string> = {}) {
  const server = await startModelServer(t, script)
  const settings = readSettings({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-ours', ...environment })
  const summarizer = await createSummarizer(settings, templates)
  return { server, ...(await startClient(t, { summarizer })) }
}

t.test('a chat goes to the model in its order, with our key, and its answer comes in OpenAI’s shape', async (t) => {
  const { client, server, log } = await startWithModel(t, ['The importer was fixed.'])
  const before = Math.floor(Date.now() / 1000)
  const completion = await client.chat.completions.create({
    model: 'any',
    messages: CHAT,
    max_completion_tokens: 500,
    temperature: 0.2,
    tools: [{ type: 'function', function: { name: 'read', parameters: {} } }],
  })
  t.match(completion.id, /^chatcmpl-/)
  t.ok(completion.created >= before)
  t.same(
    { ...completion, id: '', created: 0 },
    {
      id: '',
      object: 'chat.completion',
      created: 0,
      model: 'gpt-5-mini',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'The importer was fixed.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    },
  )
  const [request] = server.requests
  t.same(request?.body, { model: 'gpt-5-mini', messages: CHAT, max_completion_tokens: 500 })
  t.equal(request?.headers.authorization, 'Bearer sk-ours')
  t.notMatch(log(), KEY)
})

t.test('a stream comes in chunks that the client puts together', async (t) => {
  const text = 'The importer was fixed. 😀 '.repeat(40).trim()
  const { client } = await startClient(t, { summarizer: fakeSummarizer(text) })
  const stream = await client.chat.completions.create({
    model: 'any',
    messages: CHAT,
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  t.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), text)
  t.same(chunks.at(-2)?.choices[0]?.finish_reason, 'stop')
  t.same(chunks.at(-1)?.usage, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 })
})

t.test('without a model, a chat that asks for no summary is 404, and says what this route answers', async (t) => {
  const { client, app } = await startClient(t, { summarizer: await createSummarizer(readSettings({}), templates) })
  const answers = /answers only requests for a compaction.*Send other requests to the server of the model/
  for (const messages of [[{ role: 'user' as const, content: 'What is 2+2?' }], CHAT]) {
    const error = await client.chat.completions.create({ model: 'any', messages }).catch((caught: unknown) => caught)
    t.match(error, { status: 404, code: 'no_model', type: 'invalid_request_error', message: answers })
  }
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/v1/responses', payload: { input: 'Hello.' } })
  t.match({ statusCode, body }, { statusCode: 404, body: answers })
})

const TRANSCRIPT = '<conversation>\n[User]: Fix the importer.\n\n[Assistant]: It is fixed.\n</conversation>\n\n'

t.test('without a model, the prompts of oh-my-pi are answered as chats too, and usage is estimated', async (t) => {
  const { client } = await startClient(t, { summarizer: await createSummarizer(readSettings({}), templates) })
  const systemPrompt = { role: 'system' as const, content: 'Summarize user–AI coding-assistant conversations.' }
  const prompts = {
    compaction: 'You MUST summarize the conversation above into a structured handoff summary for another LLM.',
    update: `<previous-summary>\n## Goal\nGo on.\n</previous-summary>\n\nUpdate existing handoff summary.`,
    'short summary': 'Summarize conversation changes as a pull request description.',
    'turn prefix': 'Turn prefix too large; recent-work suffix retained.',
    branch: 'You MUST create a structured summary of the conversation branch for context when returning.',
  }
  for (const [name, words] of Object.entries(prompts)) {
    const messages = [systemPrompt, { role: 'user' as const, content: TRANSCRIPT + words }]
    const completion = await client.chat.completions.create({ model: 'any', messages })
    t.match(completion.choices[0]?.message.content, /Newest request:\nFix the importer\./, name)
    t.equal(completion.model, 'embedded')
    t.ok((completion.usage?.prompt_tokens ?? 0) > 10 && (completion.usage?.completion_tokens ?? 0) > 10)
  }
  const handoff = '<critical>\nWrite a handoff document for another instance of yourself.\n</critical>'
  const messages = [...CHAT.slice(0, 3), { role: 'user' as const, content: handoff }]
  const completion = await client.chat.completions.create({ model: 'any', messages })
  t.match(completion.choices[0]?.message.content, /## Goal\nNewest request:\nFix the importer\./, 'handoff')
})

t.test('without a model, a chat that only mentions the tags of oh-my-pi is no summary', async (t) => {
  const { client } = await startClient(t, { summarizer: await createSummarizer(readSettings({}), templates) })
  const content = 'What does <conversation>a</conversation> mean in XML?'
  const answer = client.chat.completions.create({ model: 'any', messages: [{ role: 'user', content }] })
  await t.rejects(answer, { status: 404, code: 'no_model' })
})

t.test('a model that fails is an error for a chat that asks for no summary, also with PRECIS_ON_FAILURE', async (t) => {
  const summarizer = fakeSummarizer(() => {
    throw new Problem('model-misconfigured', 'No key.')
  })
  const { client } = await startClient(t, { summarizer: { ...summarizer, onFailure: 'embedded' } })
  const send = (messages: typeof CHAT) =>
    client.chat.completions.create({ model: 'any', messages }).catch((caught: unknown) => caught)
  t.match(await send(CHAT), { status: 502, code: 'model_failed' })
  t.match(await send([{ role: 'user', content: `${TRANSCRIPT}Summarize it.` }]), {
    model: 'embedded',
  })
})

t.test('a chat that is too long for the window is told in parts, each with the last request', async (t) => {
  const { client, server } = await startWithModel(t, ['Part.'], { PRECIS_CONTEXT_WINDOW: '8000' })
  const long = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Step ${index}. ${'The importer reads a row. '.repeat(60)}`,
  }))
  const messages = [CHAT[0] as (typeof CHAT)[number], ...long, { role: 'user' as const, content: 'Summarize it all.' }]
  const completion = await client.chat.completions.create({ model: 'any', messages, max_completion_tokens: 300 })
  t.equal(completion.choices[0]?.message.content, 'Part.')
  t.ok(server.requests.length > 2)
  for (const { body } of server.requests) {
    const [system, user, ...others] = body['messages'] as { role: string; content: string }[]
    t.same([system, others], [CHAT[0], []])
    t.match(user?.content, /<\/conversation>\n\nSummarize it all\./)
  }
})

t.test('the older name of the limit is heeded too, and neither goes above the cap', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startClient(t, { summarizer, settings: { maxSummaryTokens: 1000 } })
  for (const limits of [{ max_tokens: 20 }, { max_tokens: 20, max_completion_tokens: 30 }, { max_tokens: 5000 }, {}])
    await app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { messages: CHAT, ...limits } })
  t.same(
    summarizer.tasks.map(({ maxTokens }) => maxTokens),
    [20, 30, 1000, 1000],
  )
})

t.test('secrets stay home, in every message', async (t) => {
  const { client, server } = await startWithModel(t, ['Done.'])
  const secret = `ghp_${'a1B2'.repeat(9)}`
  await client.chat.completions.create({
    model: 'any',
    messages: [
      { role: 'system', content: `s ${secret}` },
      { role: 'user', content: `u ${secret}` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command: secret }) } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: `t ${secret}` },
      { role: 'user', content: 'Summarize.' },
    ],
  })
  const sent = JSON.stringify(server.requests[0]?.body)
  t.notMatch(sent, secret)
  t.equal(sent.split('[redacted:').length - 1, 4)
})

t.test('errors carry OpenAI’s member, whatever refused the request', async (t) => {
  const failing = fakeSummarizer(() => {
    throw new Problem('prompt-too-large', 'Too long.')
  })
  const bad = (body: object) => body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
  const request = { model: 'any', messages: CHAT }
  const wrong = await failureOf(t, {}, bad({ messages: [{ role: 'user', content: 7 }] }))
  t.match(wrong, {
    status: 400,
    type: 'invalid_request_error',
    code: 'invalid_request',
    param: 'messages.0.content',
    message: /messages\.0\.content: must be/,
  })
  t.match(await failureOf(t, {}, bad({ messages: [{ role: 'user', content: ' ' }] })), {
    status: 400,
    param: 'messages',
  })
  t.match(await failureOf(t, { settings: { tokens: ['one'] } }, request), {
    status: 404,
    type: 'authentication_error',
    code: 'token_refused',
  })
  t.match(await failureOf(t, { summarizer: failing }, request), { status: 413, code: 'context_length_exceeded' })
  t.match(await failureOf(t, { settings: { bodyLimitBytes: 10 } }, request), { status: 413 })
  t.match(await failureOf(t, { settings: { concurrency: 0, queue: 0 } }, request), {
    status: 503,
    type: 'server_error',
    code: 'overloaded',
  })
})

async function failureOf(t: Test, options: StartOptions, body: OpenAI.ChatCompletionCreateParamsNonStreaming) {
  const { client, log } = await startClient(t, options)
  const error = await client.chat.completions.create(body).then(
    () => undefined,
    (error: unknown) => error,
  )
  t.notMatch(log(), KEY)
  if (!(error instanceof OpenAI.APIError)) throw new Error('It did not fail.')
  const { status, type, code, param, message } = error as InstanceType<typeof OpenAI.APIError>
  return { status, type, code, param, message }
}

t.test('a fault of a message is named where it is', async (t) => {
  const { app } = await startClient(t)
  const faultsOf = async (messages: unknown) =>
    (await app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { messages } })).json<{
      errors: unknown
    }>().errors
  const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'].map((role) => `"${role}"`).join(' or ')
  t.same(await faultsOf([]), [{ pointer: '/messages', detail: 'must be an array of at least 1 value' }])
  t.same(await faultsOf([{ role: 'alien', content: 'x' }]), [
    { pointer: '/messages/0/role', detail: `must be ${roles}` },
  ])
  t.same(await faultsOf([{ content: 'x' }]), [{ pointer: '/messages/0/role', detail: 'is required' }])
})

t.test('the caller’s own key is a service token where tokens are set', async (t) => {
  const { client } = await startClient(t, { settings: { tokens: [KEY] } })
  const completion = await client.chat.completions.create({ model: 'any', messages: CHAT })
  t.match(completion.choices[0]?.message.content, 'A summary of the prompt.')
})

t.test('a repeat with another order is another question', async (t) => {
  const { client, server } = await startWithModel(t, ['One.', 'Two.'])
  const ask = async (messages: typeof CHAT) =>
    (await client.chat.completions.create({ model: 'any', messages })).choices[0]?.message.content
  const [system, one, other, last] = CHAT as [(typeof CHAT)[0], (typeof CHAT)[0], (typeof CHAT)[0], (typeof CHAT)[0]]
  t.same([await ask(CHAT), await ask(CHAT), await ask([system, other, one, last])], ['One.', 'One.', 'Two.'])
  t.equal(server.requests.length, 2)
})

const completion = (content: string): ChatCompletionReply => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
})
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
const choice = (delta: object, finish_reason: string | null = null) => [
  { index: 0, delta, logprobs: null, finish_reason },
]

const dataOf = (events: string): unknown[] =>
  events
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as unknown)))

t.test('role, text, reason, usage where it was asked for, [DONE]', async (t) => {
  t.same(dataOf(writeChatChunks(completion('Hi.'), { includeUsage: true })), [
    { ...head, choices: choice({ role: 'assistant', content: '' }), usage: null },
    { ...head, choices: choice({ content: 'Hi.' }), usage: null },
    { ...head, choices: choice({}, 'stop'), usage: null },
    { ...head, choices: [], usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 } },
    '[DONE]',
  ])
  t.notMatch(writeChatChunks(completion('Hi.'), { includeUsage: false }), 'usage')
})

t.test('the pieces together are the text, and none cuts a pair', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 1000 }), (text) => {
      const pieces = dataOf(writeChatChunks(completion(text), { includeUsage: false }))
        .slice(1, -2)
        .map((chunk) => (chunk as { choices: [{ delta: { content: string } }] }).choices[0].delta.content)
      return pieces.join('') === text && pieces.every((piece) => !/\p{Surrogate}/u.test(piece))
    }),
    { seed: 20261121 },
  )
})
