import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createClient, PrecisError, type ClientOptions, type Fetch } from '../../src/client/client.ts'
import { listenApp, type StartOptions } from '../support/start-app.ts'

const EXAMPLE = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')
const MESSAGES = [
  { role: 'user', content: 'Fix the parser in src/parser.ts.' },
  { role: 'assistant', content: 'It is fixed.' },
  { role: 'user', content: 'Now the lexer.' },
]

const EMBEDDED = { name: 'embedded', windowTokens: () => 128_000 } as const

async function clientOf(t: Test, options: StartOptions = {}, more: Partial<ClientOptions> = {}) {
  const { url } = await listenApp(t, { summarizer: EMBEDDED, ...options })
  return createClient({ url, ...more })
}

/** Replies in turn, the last one again and again, and notes the waits. */
function scripted(...replies: (() => Response)[]) {
  const waits: number[] = []
  let calls = 0
  const fetch: Fetch = async () => {
    const reply = replies[Math.min(calls, replies.length - 1)]
    calls += 1
    return reply!()
  }
  const wait = async (ms: number): Promise<void> => void waits.push(ms)
  return { client: createClient({ url: 'http://precis.test', fetch, wait }), waits, calls: () => calls }
}

/** What a promise is rejected with. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const problem = (status: number, type: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ type: `urn:precis:problem:${type}`, title: 'Title', status, detail: 'Detail.' }), {
    status,
    headers,
  })

t.test('a misspelt setting does not compile, and is an error of the service', async (t) => {
  const client = await clientOf(t)
  const sending = client.plan({
    messages: MESSAGES,
    // @ts-expect-error the types have no setting of this name
    settings: { contextWindw: 40_000 },
  })
  t.match(await failureOf(sending), {
    status: 400,
    errors: [{ pointer: '/settings/contextWindw', detail: 'is not known; use `contextWindow`' }],
  })
})

t.test('a session file is sent as it is, with its settings in the query', async (t) => {
  const client = await clientOf(t)
  const reply = await client.compact(EXAMPLE, { query: { keepRecentTokens: 8000, details: 'full' } })
  t.match(reply, { firstKeptEntryId: '65982522', tokensBefore: 41_875, report: { model: 'embedded' } })
  t.ok(reply.details.keyDecisions)
  t.same(
    await client.compact(Buffer.from(EXAMPLE), { query: { keepRecentTokens: 8000 } }).then((r) => r.summary),
    reply.summary,
  )
})

t.test('a request of the API is sent as JSON', async (t) => {
  const client = await clientOf(t)
  const request = { messages: MESSAGES, settings: { keepRecentTokens: 4 } }
  t.match(await client.compact(request), { firstKeptEntryId: 'm2', summary: /src\/parser\.ts/ })
  t.match(await client.plan({ ...request, settings: { keepRecentTokens: 4, contextWindow: 40_000 } }), {
    tokensKept: 4,
  })
})

t.test('every route of sessions has a function', async (t) => {
  const client = await clientOf(t)
  t.match(await client.prune(EXAMPLE, { query: { protectTokens: 2000, minimumSavings: 0 } }), { tokensSaved: Number })
  t.match(await client.context({ messages: MESSAGES }), { messages: [{ role: 'user' }, {}, {}] })
  const found = await client.recall({ messages: MESSAGES, query: 'parser', kinds: ['request'] })
  t.match(found, { scope: 'all', passages: [{ entryIds: ['m0'], kind: 'request', text: MESSAGES[0]?.content }] })
  const inFile = await client.recall(EXAMPLE, { query: { query: 'delimiter profiles', kinds: ['answer', 'edit'] } })
  t.match(inFile, { scope: 'replaced', passages: [{ position: /before the 1st compaction/ }] })
  const compared = await client.compare(EXAMPLE)
  t.match(compared, { compaction: { number: 1 }, agent: { writer: 'pi' }, precis: { report: { model: 'embedded' } } })
  t.match(await client.handoff({ messages: MESSAGES }), { document: /Now the lexer/ })
  const entries = [
    { type: 'message', id: 'a', parentId: null, message: { role: 'user' as const, content: 'Try it.' } },
    { type: 'message', id: 'b', parentId: null, message: { role: 'user' as const, content: 'Try another.' } },
  ]
  t.match(await client.summarizeBranch({ entries, fromId: 'a', targetId: 'b' }), { entryIds: ['a'] })
})

t.test('the plan and the progress are reported while the service works', async (t) => {
  const client = await clientOf(t)
  const plans: unknown[] = []
  const reply = await client.compact(EXAMPLE, {
    onPlan: (plan) => plans.push(plan),
    onProgress: () => undefined,
  })
  t.match(plans, [{ windows: 1, tokensBefore: 41_875, firstKeptEntryId: reply.firstKeptEntryId }])
})

t.test('an error of the service has its type, its status and the places of its faults', async (t) => {
  const client = await clientOf(t)
  const wrong = { messages: [{ role: 'user', content: 3 }] }
  for (const onPlan of [undefined, () => undefined]) {
    const error = await client.compact(wrong, onPlan && { onPlan }).catch((error: unknown) => error)
    t.ok(error instanceof PrecisError)
    t.match(error, { status: 400, type: 'invalid-request', errors: [{ pointer: /^\/messages\/0\/content/ }] })
  }
})

t.test('a service token is sent, and so is a password in the URL', async (t) => {
  const { url } = await listenApp(t, { summarizer: EMBEDDED, settings: { tokens: ['secret/token'] } })
  const request = { messages: MESSAGES }
  t.match(await createClient({ url, token: 'secret/token' }).context(request), { messages: Array })
  const withPassword = url.replace('http://', 'http://x:secret%2Ftoken@')
  t.match(await createClient({ url: `${withPassword}/` }).context(request), { messages: Array })
  t.match(await failureOf(createClient({ url, retries: 0 }).context(request)), { type: 'token-refused' })
})

t.test(
  'a request is repeated after the statuses that docs/errors.md names, and after a broken connection',
  async (t) => {
    const ok = () => new Response('{"summary":"s","shortSummary":"s","details":{},"report":{}}')
    for (const status of [408, 429, 502, 503, 504]) {
      const { client, waits, calls } = scripted(() => problem(status, 'overloaded'), ok)
      t.match(await client.compact('{}'), { summary: 's' })
      t.same([calls(), waits], [2, [1000]], String(status))
    }
    const broken = scripted(() => {
      throw new TypeError('fetch failed')
    }, ok)
    t.match(await broken.client.compact('{}'), { summary: 's' })
  },
)

t.test('a retry waits as long as the service asks, and at most a minute', async (t) => {
  const { client, waits, calls } = scripted(
    () => problem(503, 'draining', { 'retry-after': '5' }),
    () => problem(429, 'rate-limited', { 'retry-after': '3600' }),
    () => problem(504, 'deadline-exceeded'),
  )
  t.match(await failureOf(client.compact('{}')), { status: 504, type: 'deadline-exceeded' })
  t.same([calls(), waits], [3, [5000, 60_000]])
})

t.test('other errors are not repeated', async (t) => {
  for (const status of [400, 401, 404, 413, 415, 422, 424, 500]) {
    const { client, calls } = scripted(() => problem(status, 'invalid-request'))
    t.match(await failureOf(client.compact('{}')), { status })
    t.equal(calls(), 1, String(status))
  }
})

t.test('an error after the status 200 is an error, in a JSON reply and in events', async (t) => {
  const body = JSON.stringify({ type: 'urn:precis:problem:model-failed', title: 'T', status: 502, detail: 'D' })
  const json = scripted(() => new Response(`   ${body}`))
  t.match(await failureOf(json.client.compact('{}')), { status: 502, type: 'model-failed' })
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  const events = scripted(() => new Response(`:\n\nevent: problem\ndata: ${body}\n\n`, { headers }))
  t.match(await failureOf(events.client.compact('{}', { onProgress: () => undefined })), {
    status: 502,
    message: 'T: D',
  })
})

t.test('a reply of something else than the service is an error that says so', async (t) => {
  const { client } = scripted(() => new Response('<html>', { status: 404, statusText: 'Not Found' }))
  t.match(await failureOf(client.compact('{}')), {
    type: 'not-precis',
    message: /does not come from Précis: HTTP 404 Not Found/,
  })
})

t.test('so is JSON that no reply of the route can be', async (t) => {
  for (const reply of ['{"summary":5}', '{}', '[]']) {
    const { client } = scripted(() => new Response(reply))
    t.match(await failureOf(client.compact('{}')), {
      type: 'not-precis',
      message: /HTTP 200 with no text `summary`\. Check the URL of the service/,
    })
  }
})

t.test('a stream that ends early is a broken connection', async (t) => {
  const headers = { 'content-type': 'text/event-stream' }
  const { client, calls } = scripted(() => new Response('event: plan\ndata: {}\n\n', { headers }))
  t.match(await failureOf(client.compact('{}', { onPlan: () => undefined })), TypeError)
  t.equal(calls(), 3)
})

t.test('a stream that breaks off is a broken connection', async (t) => {
  const headers = { 'content-type': 'text/event-stream' }
  const broken = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new TypeError('terminated'))
      },
    })
  const { client, calls } = scripted(() => new Response(broken(), { headers }))
  t.match(await failureOf(client.compact('{}', { onPlan: () => undefined })), new TypeError('terminated'))
  t.equal(calls(), 3)
  const plain = scripted(() => new Response(broken()))
  t.match(await failureOf(plain.client.compact('{}')), new TypeError('terminated'))
  t.match(await failureOf(plain.client.compactTo('text', '{}')), new TypeError('terminated'))
  t.equal(plain.calls(), 6)
})

t.test("an error in the caller's own functions is not repeated: the request has been paid for", async (t) => {
  const stream = () =>
    new Response('event: plan\ndata: {}\n\nevent: progress\ndata: {}\n\nevent: result\ndata: {}\n\n', {
      headers: { 'content-type': 'text/event-stream' },
    })
  for (const name of ['onPlan', 'onProgress'] as const) {
    const { client, calls, waits } = scripted(stream)
    const fail = (): void => {
      throw new TypeError('of the caller')
    }
    t.match(await failureOf(client.compact('{}', { [name]: fail })), new TypeError('of the caller'))
    t.same([calls(), waits], [1, []])
  }
})

t.test('a request that cannot be written fails at once, without an attempt', async (t) => {
  const { client, calls, waits } = scripted(() => new Response('{}'))
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  t.match(await failureOf(client.context({ messages: [circular] })), TypeError)
  t.same([calls(), waits], [0, []])
})

t.test('a token that no header can have is refused when the client is made, and is not in the error', async (t) => {
  for (const token of ['secret\ntoken', 'secret…token']) {
    const create = () => createClient({ url: 'http://precis.test', token })
    t.throws(create, new TypeError('`token` has a character that an HTTP header cannot have, such as a line feed.'))
  }
  t.ok(createClient({ url: 'http://precis.test', token: 'from-a-file\n' }))
})

t.test('an aborted signal ends the request and its retries', async (t) => {
  const controller = new AbortController()
  const wait = async (): Promise<void> => {
    controller.abort(new Error('enough'))
    controller.signal.throwIfAborted()
  }
  const client = createClient({ url: 'http://precis.test', fetch: async () => problem(503, 'overloaded'), wait })
  t.match(await failureOf(client.compact('{}', { signal: controller.signal })), /enough/)
})

t.test('another form of the reply comes as bytes', async (t) => {
  const { client } = scripted(() => new Response('lines', { headers: { 'x-precis-native': 'append' } }))
  const { headers, body } = await client.compactTo('native', EXAMPLE)
  t.same([headers.get('x-precis-native'), Buffer.from(body).toString()], ['append', 'lines'])
})

t.test('an address without its scheme is refused with one that has it', async (t) => {
  const fault = new TypeError('`url` must begin with http:// or https://, such as http://127.0.0.1:8080')
  for (const url of ['127.0.0.1:8080', 'localhost:8080', 'http://']) t.throws(() => createClient({ url }), fault, url)
})
