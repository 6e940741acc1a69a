import OpenAI from 'openai'
import t, { type Test } from 'tap'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { fakeSummarizer, type FakeSummarizer } from '../support/fake-summarizer.ts'
import { listenApp, startApp, templates, type StartOptions } from '../support/start-app.ts'

const SUMMARY = '## Goal\nExplain the fix.'

const summarizerOf = (): FakeSummarizer =>
  fakeSummarizer(({ kind }) =>
    kind === 'history' ? SUMMARY : 'An answer in the pieces of a stream, of course. '.repeat(5).trim(),
  )

/** The service on a socket, and the client that most of the world has. */
async function startClient(t: Test, options: StartOptions = {}) {
  const summarizer = summarizerOf()
  const { url } = await listenApp(t, { summarizer, ...options })
  return { url, summarizer, client: new OpenAI({ baseURL: `${url}/v1`, apiKey: 'token-of-a-caller', maxRetries: 0 }) }
}

async function post(t: Test, url: string, payload: object, headers: Record<string, string> = {}) {
  const summarizer = summarizerOf()
  const { app } = await startApp(t, { summarizer })
  const response = await app.inject({ method: 'POST', url, payload, headers })
  return { response, status: response.statusCode, body: response.json<Record<string, unknown>>(), summarizer }
}

const userItem = (text: string) => ({
  type: 'message' as const,
  role: 'user' as const,
  content: [{ type: 'input_text' as const, text }],
})
const answerItem = (text: string) => ({
  type: 'message' as const,
  role: 'assistant' as const,
  content: [{ type: 'output_text' as const, text, annotations: [] }],
})
const HISTORY = [
  userItem('Fix calc.py. Never touch test_calc.py.'),
  { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"python3 test_calc.py"}', call_id: 'c1' },
  {
    type: 'function_call_output',
    call_id: 'c1',
    output: 'Process exited with code 1\nOutput:\nAssertionError: 0 != 4',
  },
  answerItem('Fixed.'),
  userItem('Explain the fix.'),
  answerItem('It now returns a + b.'),
]
const asInput = (items: unknown[]): OpenAI.Responses.ResponseInput => items as OpenAI.Responses.ResponseInput

t.test('the models are the candidates, or the embedded summarizer', async (t) => {
  const settings = readSettings({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', PRECIS_MODEL: 'org/large,small' })
  const { client } = await startClient(t, { summarizer: await createSummarizer(settings, templates) })
  const ids = (await client.models.list()).data.map(({ id, object }) => [id, object])
  t.same(ids, [
    ['org/large', 'model'],
    ['small', 'model'],
  ])
  t.equal((await client.models.retrieve('org/large')).id, 'org/large')
  const missing = await client.models.retrieve('none').catch((error: unknown) => error)
  t.match(missing, { status: 404, code: 'not_found', type: 'invalid_request_error' })
  const embedded = await startApp(t, { summarizer: await createSummarizer(readSettings({}), templates) })
  t.same((await embedded.app.inject('/v1/models')).json(), {
    object: 'list',
    data: [{ id: 'embedded', object: 'model', created: 0, owned_by: 'precis' }],
  })
  t.equal((await embedded.app.inject('/v1/models/a/b')).statusCode, 404)
})

t.test('OpenAI’s client shows why a path is unknown', async (t) => {
  const { client } = await startClient(t)
  const error = await client.embeddings.create({ model: 'm', input: 'x' }).catch((caught: unknown) => caught)
  t.match(error, { status: 404, message: '404 Unknown route. See GET /openapi.json.', code: 'not_found' })
})

t.test('a response is the model’s answer to the items, in OpenAI’s form', async (t) => {
  const { client, summarizer } = await startClient(t)
  const response = await client.responses.create({
    model: 'any',
    instructions: 'You are an agent.',
    input: asInput([...HISTORY, userItem('Go on.')]),
    max_output_tokens: 300,
  })
  t.match(response.output_text, /^An answer/)
  t.match(response, { object: 'response', status: 'completed', model: 'fake', usage: { total_tokens: 15 } })
  const [task] = summarizer.tasks
  t.same([task?.kind, task?.maxTokens, task?.systemPrompt], ['prompt', 300, 'You are an agent.'])
  t.match(task?.turns?.at(-1), { role: 'user', content: 'Go on.' })
  t.equal((await client.responses.create({ model: 'any', input: 'Hello.' })).output_text, response.output_text)
})

t.test('a response is streamed in the events of OpenAI’s API', async (t) => {
  const { client } = await startClient(t)
  const stream = await client.responses.create({ model: 'any', input: 'Hello.', stream: true })
  const types: string[] = []
  let text = ''
  let whole = ''
  for await (const event of stream) {
    if (types.at(-1) !== event.type) types.push(event.type)
    if (event.type === 'response.output_text.delta') text += event.delta
    if (event.type === 'response.completed')
      whole = event.response.output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => ('text' in part ? part.text : ''))
        .join('')
  }
  t.same(
    types,
    ['created', 'in_progress', 'output_item.added', 'content_part.added', 'output_text.delta', 'output_text.done']
      .concat(['content_part.done', 'output_item.done', 'completed'])
      .map((name) => `response.${name}`),
  )
  t.match(text, /^An answer/)
  t.equal(whole, text)
})

t.test('a response to a wish for a summary goes through the pipeline', async (t) => {
  const { client, summarizer } = await startClient(t)
  const input = asInput([...HISTORY, userItem('Summarize our conversation, so that you can go on from it.')])
  const { output_text: text } = await client.responses.create({ model: 'any', input })
  t.equal(summarizer.tasks[0]?.kind, 'history')
  t.match(text, `${SUMMARY}\n\n## Constraints & Preferences\n- Never touch test_calc.py.`)
})

t.test('an input that ends with a trigger gets exactly one compaction item, also in a stream', async (t) => {
  const { client, summarizer } = await startClient(t)
  const input = asInput([...HISTORY, { type: 'compaction_trigger' }])
  const { output } = await client.responses.create({ model: 'any', input })
  t.match(output, [{ type: 'compaction', encrypted_content: /^eyJ/ }])
  t.equal(output.length, 1)
  const done: unknown[] = []
  const types: string[] = []
  for await (const event of await client.responses.create({ model: 'any', input, stream: true })) {
    types.push(event.type)
    if (event.type === 'response.output_item.done') done.push(event.item)
  }
  t.same(done, output)
  t.same(
    types,
    ['created', 'in_progress', 'output_item.added', 'output_item.done', 'completed'].map((name) => `response.${name}`),
  )
  const next = await client.responses.create({ model: 'any', input: asInput([...output, userItem('Go on.')]) })
  t.match(next.output_text, /^An answer/)
  t.match(summarizer.tasks.at(-1)?.turns?.[0]?.content, SUMMARY, 'a later request has the summary')
})

interface Compacted {
  id: string
  object: string
  created_at: number
  output: {
    id: string
    type: string
    role?: string
    status?: string
    encrypted_content?: string
    content?: unknown[]
  }[]
  usage: object
}

t.test('the compliance case of Open Responses: messages of the user, and one compaction item', async (t) => {
  const input = [
    { type: 'message', role: 'user', content: 'Fix calc.py.' },
    { type: 'message', role: 'assistant', content: 'Fixed.' },
  ]
  const sent = { model: 'm', prompt_cache_key: 'openresponses-compact-test', input }
  const { body, status, response } = await post(t, '/v1/responses/compact', sent)
  t.equal(status, 200)
  const { output, usage, ...head } = body as unknown as Compacted
  t.match(head, { id: /^resp_[0-9a-f]{32}$/, object: 'response.compaction' })
  t.ok(Number.isInteger(head.created_at))
  t.match(output, [
    {
      id: /^msg_/,
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'Fix calc.py.' }],
    },
    { id: /^cmp_/, type: 'compaction', encrypted_content: /^[\w-]+$/ },
  ])
  t.same(usage, {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  })
  t.match(JSON.parse(String(response.headers['x-precis-report'])), { model: 'fake' })
})

t.test('the compliance case of Open Responses: a missing model is 400', async (t) => {
  const { status, body } = await post(t, '/v1/responses/compact', { input: 'Hello.' })
  t.match({ status, body }, { status: 400, body: { error: { param: 'model', type: 'invalid_request_error' } } })
  t.equal((await post(t, '/v1/responses/compact', { model: null, input: 'Hello.' })).status, 200)
})

t.test('the next compaction updates the summary of the one before it, in both styles', async (t) => {
  for (const style of ['compaction', 'messages']) {
    const { client, summarizer } = await startClient(t)
    const first = await client.responses.compact(
      { model: 'gpt-5.2', input: asInput(HISTORY) },
      { query: { items: style } },
    )
    t.same(
      first.output.map(({ type }) => type as string),
      ['message', 'message', style === 'messages' ? 'message' : 'compaction'],
    )
    const input = asInput([...first.output, userItem('Now sub().'), answerItem('Done.')])
    const second = await client.responses.compact({ model: 'gpt-5.2', input }, { query: { items: style } })
    const prompt = summarizer.tasks[1]?.prompt ?? ''
    t.match(prompt, /<previous-summary>\n## Goal\nExplain the fix\.\n/)
    t.notMatch(prompt.split('</conversation>')[0], /Summary of the earlier/)
    const texts = JSON.stringify(second.output)
    t.equal(texts.split('Summary of the earlier conversation').length - 1, style === 'messages' ? 1 : 0)
    t.match(texts, /Fix calc\.py.*Explain the fix.*Now sub/)
  }
})

t.test(
  'plain messages: by a parameter, a header, a prefix of the path, or a client that sends the items elsewhere',
  async (t) => {
    const lastOf = async (url: string, headers: Record<string, string> = {}) =>
      ((await post(t, url, { model: 'm', input: HISTORY }, headers)).body as unknown as Compacted).output.at(-1)?.type
    const url = '/v1/responses/compact'
    t.equal(await lastOf(`${url}?items=messages`), 'message')
    t.equal(await lastOf(url, { 'x-precis-items': 'messages' }), 'message')
    t.equal(await lastOf(`/messages${url}`), 'message')
    t.equal(await lastOf(url, { 'user-agent': 'codex_exec/0.120.0 (Debian; x86_64)' }), 'message')
    t.equal(await lastOf(url, { originator: 'codex_cli_rs' }), 'message')
    t.equal(await lastOf(url, { 'user-agent': 'Agents/JavaScript 0.20.0' }), 'message')
    t.equal(await lastOf(url, { 'user-agent': 'codex_exec/0.120.0', 'x-precis-items': 'compaction' }), 'compaction')
    t.equal(await lastOf(url, { 'user-agent': 'OpenAI/JS 6.49.0' }), 'compaction')
    const { status, body } = await post(t, `${url}?items=all`, { model: 'm', input: HISTORY })
    t.match({ status, body }, { status: 400, body: { error: { param: 'items' } } })
  },
)

t.test(
  'messages of the user come back as they came, without what the client wrote and beyond 20,000 tokens',
  async (t) => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }
    const input = [
      { ...userItem('old '.repeat(30_000)), id: 'msg_old' },
      userItem('<environment_context>\n<cwd>/w</cwd>\n</environment_context>'),
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules.' }] },
      {
        ...userItem('See this.'),
        id: 'msg_a',
        content: [image, { type: 'input_text', text: 'See this.' }, { type: 'other' }],
      },
      { type: 'compaction', encrypted_content: 'b3BhcXVl' },
      answerItem('I see.'),
    ]
    const { body, summarizer } = await post(t, '/v1/responses/compact?items=messages', { model: 'm', input })
    const { output } = body as unknown as Compacted
    t.same(output.slice(0, -1), [
      {
        id: 'msg_a',
        type: 'message',
        status: 'completed',
        role: 'user',
        content: [image, { type: 'input_text', text: 'See this.' }],
      },
    ])
    t.notMatch(summarizer.tasks[0]?.prompt, 'b3BhcXVl', 'an opaque compaction counts as absent')
    t.notMatch(summarizer.tasks[0]?.prompt, '<previous-summary>')
  },
)

t.test('a compaction item of ours is an earlier compaction for /compaction too', async (t) => {
  const { body } = await post(t, '/v1/responses/compact', { model: 'm', input: HISTORY })
  const items = [
    ...(body as unknown as Compacted).output,
    userItem('Now sub().'),
    answerItem('Done.'),
    userItem('And mul().'),
  ]
  const plan = await post(t, '/compaction/plan?keepRecentTokens=1', { input: items })
  t.match(plan.body, { hasPreviousSummary: true, report: { format: 'responses' } })
})

t.test('what this service cannot do is refused with its reason', async (t) => {
  const send = async (url: string, payload: object) => (await post(t, url, payload)).body['error']
  for (const url of ['/v1/responses', '/v1/responses/compact']) {
    t.match(await send(url, { model: 'm', previous_response_id: 'resp_1' }), {
      param: 'previous_response_id',
      message: /compactionMode: 'input'.*this service stores no responses/,
    })
    t.match(await send(url, { model: 'm' }), { param: 'input', message: /compactionMode: 'input'.*is required/ })
    t.match(await send(url, { model: 'm', input: [] }), { param: 'input', message: /at least 1 value/ })
  }
  for (const url of ['/v1/responses', '/v1/responses/compact']) {
    const input = [userItem('Fix it.'), answerItem('Done.'), { type: 'compaction_trigger' }]
    for (const [param, value, stored] of [
      ['conversation', 'conv_1', 'conversations'],
      ['conversation', { id: 'conv_1' }, 'conversations'],
      ['prompt', { id: 'pmpt_1' }, 'prompts'],
    ] as const)
      t.match(await send(url, { model: 'm', input, [param]: value }), {
        param,
        message: `must be null: this service stores no ${stored}`,
      })
    for (const reference of [{ type: 'item_reference', id: 'x' }, { id: 'x' }, { type: null, id: 'x' }])
      t.match(await send(url, { model: 'm', input: [reference, ...input] }), {
        param: 'input.0',
        message: 'must be the item itself, not a reference to it',
      })
    const free = await post(t, url, { model: 'm', input, conversation: null, prompt: null })
    t.equal(free.status, 200)
  }
})

const NEW_ROUTES = [
  ['POST', '/v1/compress'],
  ['POST', '/v1/responses'],
  ['POST', '/v1/responses/compact'],
  ['POST', '/messages/v1/responses/compact'],
  ['POST', '/v1/messages'],
  ['GET', '/v1/models'],
  ['GET', '/v1/models/x'],
] as const

for (const [method, url] of NEW_ROUTES)
  t.test(`${method} ${url} needs a token: 401 in the format of its API; it may be in x-api-key`, async (t) => {
    const { app } = await startApp(t, { settings: { tokens: ['one'] } })
    const refused = await app.inject({ method, url, ...(method === 'POST' && { payload: {} }) })
    t.equal(refused.statusCode, 401)
    const body = refused.json<object>()
    if (url === '/v1/messages') {
      t.match(body, { type: 'error', error: { type: 'authentication_error', message: /X-Api-Key/ } })
      t.same(Object.keys(body), ['type', 'error', 'request_id'])
      t.match(refused.headers['content-type'], 'application/json')
    } else
      t.match(body, {
        type: 'urn:precis:problem:token-refused',
        error: { type: 'authentication_error', code: 'token_refused' },
      })
    const headers = { 'x-api-key': 'one' }
    const admitted = await app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) })
    t.not(admitted.statusCode, 401)
  })

const CHAT = {
  model: 'm',
  max_tokens: 1000,
  system: 'You are an agent.',
  messages: [
    { role: 'user', content: 'Fix calc.py. Never touch test_calc.py.' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'python3 test_calc.py' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Exit code 1\nAssertionError', is_error: true }],
    },
    { role: 'assistant', content: 'Fixed.' },
  ],
}

t.test('/v1/messages answers a wish for a compaction with a block', async (t) => {
  const wishes = [
    { compaction: { type: 'summarize' } },
    { context_management: { edits: [{ type: 'compact_20260112', pause_after_compaction: true }] } },
  ]
  for (const wish of wishes) {
    const { status, body, summarizer, response } = await post(t, '/v1/messages', { ...CHAT, ...wish })
    t.equal(status, 200)
    const [block] = body['content'] as [{ content: string }]
    t.match(
      block.content,
      `${SUMMARY}\nThe newest request, word for word:\n\n> Fix calc.py. Never touch test_calc.py.\n`,
    )
    t.match(block.content, /failed: `python3 test_calc\.py` \(exit code 1\)/)
    t.match(body, {
      id: /^msg_/,
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content: [{ type: 'compaction', encrypted_content: null }],
      stop_reason: 'compaction',
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        iterations: [{ type: 'compaction', input_tokens: 10, output_tokens: 5 }],
      },
      precis: {
        messages: [
          {
            role: 'user',
            content: `Summary of the earlier conversation, which this message replaces:\n\n${block.content}`,
          },
        ],
      },
    })
    t.equal(summarizer.tasks[0]?.maxTokens, 1000)
    t.match(JSON.parse(String(response.headers['x-precis-report'])), { model: 'fake' })
    const messages = [{ role: 'assistant', content: body['content'] }, ...CHAT.messages]
    const next = await post(t, '/v1/messages', { ...CHAT, messages, ...wish })
    t.match(next.summarizer.tasks[0]?.prompt, /<previous-summary>\n## Goal\nExplain the fix\./)
  }
})

t.test('options that would change the form of a reply are refused by their names', async (t) => {
  const { app } = await startApp(t, { summarizer: summarizerOf() })
  const send = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  const ask = userItem('Summarize our conversation, so that you can go on from it.')
  const chat = { messages: [{ role: 'user', content: 'Hello.' }] }
  const requests: [url: string, payload: object][] = [
    ['/v1/chat/completions', chat],
    ['/v1/responses', { input: [...HISTORY, ask] }],
    ['/v1/messages', { ...CHAT, compaction: { type: 'summarize' } }],
    ['/v1/responses/compact', { model: 'm', input: HISTORY }],
    ['/messages/v1/responses/compact', { model: 'm', input: HISTORY }],
  ]
  const named = { type: 'function', name: 'bash', function: { name: 'bash' } }
  const format = { type: 'json_schema', json_schema: { name: 'x', schema: {} } }
  const ofItems: [option: object, param: string][] = [
    [{ text: { format: { type: 'json_object' } } }, 'text.format.type: must be "text"'],
    [{ background: true }, 'background: must be false'],
    [{ include: ['reasoning.encrypted_content', 'message.output_text.logprobs'] }, 'include: must not have "message.'],
  ]
  const constraint = { type: 'object' }
  const constraints = [
    ...[
      { guided_json: constraint },
      { guided_regex: 'a+' },
      { guided_choice: ['a', 'b'] },
      { guided_grammar: 'root ::= "a"' },
    ],
    ...[{ structured_outputs: { json: constraint } }, { grammar: 'root ::= "a"' }, { json_schema: constraint }],
    ...[{ regex: 'a+' }, { ebnf: 'root ::= "a"' }],
  ]
  const common: [option: object, param: string][] = [
    [{ n: 2 }, 'n: must be 1'],
    [{ modalities: ['text', 'audio'] }, 'modalities: must be ["text"]'],
    [{ modalities: ['audio'], audio: { voice: 'alloy', format: 'wav' } }, 'modalities: must be ["text"]'],
    [{ logprobs: true }, 'logprobs: must be false'],
    [{ top_logprobs: 3 }, 'top_logprobs: must be 0'],
    [{ logit_bias: { 50256: -100 } }, 'logit_bias: must be empty'],
    [{ response_format: format }, 'response_format.type: must be "text"'],
    [{ response_format: { type: 'json_object' } }, 'response_format.type: must be "text"'],
    [{ response_format: 'json_object' }, 'response_format: must be "text"'],
    [{ tool_choice: 'required' }, 'tool_choice: must be "auto" or "none"'],
    [{ tool_choice: named }, 'tool_choice: must be "auto" or "none"'],
    [{ tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } } }, 'tool_choice: must'],
    ...constraints.map((one): [object, string] => [one, `${Object.keys(one).join('')}: must be absent`]),
  ]
  const refused: [option: object, param: string][][] = [
    [
      [{ function_call: { name: 'bash' } }, 'function_call: must be "auto" or "none"'],
      [{ stop: 7 }, 'stop: '],
      [{ stop: Array.from({ length: 17 }, () => 'a') }, 'stop: '],
    ],
    ofItems,
    [
      [{ tool_choice: { type: 'any' } }, 'tool_choice: must be "auto" or "none"'],
      [{ tool_choice: { type: 'tool', name: 'bash' } }, 'tool_choice: must be "auto" or "none"'],
      [{ output_format: { type: 'json_schema', schema: {} } }, 'output_format.type: must be "text"'],
      [{ output_config: { format: { type: 'json_schema', schema: {} } } }, 'output_config.format.type: must be "text"'],
    ],
    ofItems,
    ofItems,
  ]
  for (const [index, [url, payload]] of requests.entries()) {
    for (const [option, message] of [...common, ...(refused[index] ?? [])]) {
      const response = await send(url, { ...payload, ...option })
      t.equal(response.statusCode, 400, message)
      t.match(response.json<{ error: { message: string } }>().error.message, message)
    }
    const usual = [
      ...[{ n: 1 }, { n: null }, { response_format: { type: 'text' } }, { text: { verbosity: 'low' } }, { tools: [] }],
      ...[{ tool_choice: 'auto' }, { tool_choice: 'none' }, { tool_choice: null }, { tool_choice: { type: 'auto' } }],
      ...[{ logprobs: false }, { top_logprobs: 0 }, { top_logprobs: null }],
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } },
      ...[{ stop: null }, { stop: [] }, { stop: '' }, { stop: ['\nObservation:'] }, { stop_sequences: ['\n\nHuman:'] }],
      ...[{ include: null }, { include: [] }, { include: ['reasoning.encrypted_content'] }, { background: false }],
      ...[{ logit_bias: null }, { logit_bias: {} }, { grammar: '' }, { json_schema: null }, { guided_choice: [] }],
    ]
    for (const option of usual)
      t.equal((await send(url, { ...payload, ...option })).statusCode, 200, `${url} ${JSON.stringify(option)}`)
  }
})

t.test('an answer ends before the first of its stop sequences, also if it is a summary', async (t) => {
  const { app } = await startApp(t, { summarizer: fakeSummarizer(() => 'One, two, three.') })
  const contentOf = async (payload: object) => {
    const response = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })
    return response.json<{ choices: { message: { content: string } }[] }>().choices[0]?.message.content
  }
  const chat = { messages: [{ role: 'user', content: 'Count.' }] }
  t.equal(await contentOf({ ...chat, stop: ['three', ', two'] }), 'One')
  t.equal(await contentOf({ ...chat, stop: 'four' }), 'One, two, three.')
  const ask = {
    role: 'user',
    content: 'Summarize our conversation in the tag <summary>, so that you can go on from it.',
  }
  const whole = (await contentOf({ messages: [...CHAT.messages, ask] })) ?? ''
  t.ok(whole.endsWith('\n</summary>'))
  const cut = await contentOf({ messages: [...CHAT.messages, ask], stop: ['</summary>'] })
  t.equal(cut, whole.slice(0, -'</summary>'.length))
  t.equal(await contentOf({ ...chat, stop: 'One' }), '')
  for (const stop of ['<summary>', 'One', whole.slice(0, 12)]) {
    const payload = { messages: [...CHAT.messages, ask], stop: ['zebra', stop] }
    const response = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })
    t.equal(response.statusCode, 400, stop)
    t.equal(
      response.json<{ error: { message: string } }>().error.message,
      'The request body is not valid. stop: must not occur at the beginning of a summary: nothing would be left of it. Leave it out, or stop at another text',
    )
  }
})

t.test('/v1/messages does not read X-Precis-Pipeline: all that it answers is compacted', async (t) => {
  const payload = { ...CHAT, compaction: { type: 'summarize' } }
  for (const value of ['off', 'maybe']) {
    const { body } = await post(t, '/v1/messages', payload, { 'x-precis-pipeline': value })
    t.match(body, { content: [{ type: 'compaction' }] })
  }
})

t.test('a trigger asks for a compaction, whatever X-Precis-Pipeline says', async (t) => {
  const input = [...HISTORY, { type: 'compaction_trigger' }]
  const { body } = await post(t, '/v1/responses', { model: 'm', input }, { 'x-precis-pipeline': 'off' })
  t.match(body, { output: [{ type: 'compaction' }] })
})

t.test('an empty conversation is refused with the field of its route, and no message that is not there', async (t) => {
  const detailOf = async (url: string, payload: object) => (await post(t, url, payload)).body
  const instruction = { role: 'system', content: 'Be brief.' }
  const inInput = 'There are no messages to summarize. Send the conversation in `input`.'
  t.match(await detailOf('/v1/responses/compact', { model: 'm', input: [instruction] }), { detail: inInput })
  const trigger = { model: 'm', input: [{ type: 'compaction_trigger' }] }
  t.match(await detailOf('/v1/responses', trigger), { detail: inInput })
  t.match(await detailOf('/v1/responses', { model: 'm', input: [instruction] }), {
    detail: 'No message contains text. Send the conversation in `input`.',
    errors: [{ pointer: '/input' }],
  })
  const message = 'There are no messages to summarize. Send the conversation in `messages`.'
  t.match(await detailOf('/v1/messages', { ...CHAT, messages: [instruction], compaction: { type: 'summarize' } }), {
    error: { message },
  })
})

t.test('a message of the Responses API needs a role that the model reads', async (t) => {
  const known = { role: 'user', content: 'Hello.' }
  const wrong = [known, { role: 'human', content: 'x' }, { type: 'message', content: 'y' }, { content: 'z' }]
  const roles = 'must be "user" or "assistant" or "system" or "developer"'
  for (const url of ['/v1/responses', '/v1/responses/compact', '/messages/v1/responses/compact']) {
    const { status, body } = await post(t, url, { model: 'm', input: wrong })
    t.same(
      [status, body['errors']],
      [
        400,
        [
          { pointer: '/input/1/role', detail: roles },
          { pointer: '/input/2/role', detail: 'is required' },
          { pointer: '/input/3/role', detail: 'is required' },
        ],
      ],
    )
    t.match(body['error'], { param: 'input.1.role' })
    const others = [{ type: 'item_of_a_newer_client', role: 'critic' }]
    t.equal((await post(t, url, { model: 'm', input: [...others, known] })).status, 200, url)
  }
})

t.test('a session file with an unknown role is read', async (t) => {
  const session = [userItem('Fix it.'), { role: 'human', content: [{ type: 'input_text', text: 'x' }] }]
  const { status, body } = await post(t, '/compaction/plan', { session, format: 'responses' })
  t.same([status, body['report']], [200, { format: 'responses', ignored: { roles: { human: 1 } } }])
})

t.test('its instructions replace those of the service', async (t) => {
  const instructions = 'Write three haiku about the work.'
  const { summarizer } = await post(t, '/v1/messages', { ...CHAT, compaction: { type: 'summarize', instructions } })
  t.match(summarizer.tasks[0]?.prompt, new RegExp(`</conversation>\n\n${instructions}$`))
})

t.test('the block is streamed in one piece', async (t) => {
  const { app } = await startApp(t, { summarizer: summarizerOf() })
  const payload = { ...CHAT, stream: true, compaction: { type: 'summarize' } }
  const { body, headers } = await app.inject({ method: 'POST', url: '/v1/messages', payload })
  t.match(headers['content-type'], 'text/event-stream')
  const events = body
    .split('\n\n')
    .filter(Boolean)
    .map((event) => JSON.parse(event.split('\ndata: ')[1] ?? '') as { type: string })
  t.match(events, [
    { type: 'message_start', message: { content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'compaction_delta', content: /^## Goal/, encrypted_content: null },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'compaction' }, usage: { iterations: [{ type: 'compaction' }] } },
    { type: 'message_stop' },
  ])
})

t.test('any other request is 404 with the reason, in Anthropic’s format', async (t) => {
  const others = [
    {},
    { compaction: { type: 'other' } },
    { context_management: { edits: [{ type: 'compact_20260112' }, { type: 'clear_thinking_20251015', keep: 'all' }] } },
  ]
  for (const other of others) {
    const { status, body } = await post(t, '/v1/messages', { ...CHAT, ...other })
    t.match(
      { status, body },
      {
        status: 404,
        body: { type: 'error', error: { type: 'not_found_error', message: /answers only requests for a compaction/ } },
      },
    )
  }
  const { status, body } = await post(t, '/v1/messages', { messages: [] })
  t.match(
    { status, body },
    { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: /messages/ } } },
  )
})

t.test('the limit of requests counts the new routes', async (t) => {
  const { app } = await startApp(t, { settings: { rateLimit: 1 } })
  t.equal((await app.inject('/v1/models')).statusCode, 200)
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/v1/messages', payload: CHAT })
  t.same([statusCode, headers['ratelimit-limit']], [429, '1'])
})
