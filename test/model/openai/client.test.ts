import { createServer, type RequestListener } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { OpenAI } from 'openai'
import t, { type Test } from 'tap'
import { createPooledFetch } from '../../../src/model/openai/client.ts'
import { ForeignRedirect, ReplyTooLarge } from '../../../src/model/openai/failure.ts'
import { listenOn } from '../../support/sockets.ts'

async function listen(t: Test, listener: RequestListener) {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  return { url: `http://127.0.0.1:${await listenOn(t, server)}`, connections: () => connections }
}

t.test('requests and replies are complete, and connections are reused', async (t) => {
  const { url, connections } = await listen(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(201, { 'x-one': 'a', 'set-cookie': ['b=1', 'c=2'] })
      response.end(
        `${request.method} ${request.url} ${String(request.headers['x-two'])} ${Buffer.concat(chunks).toString()}`,
      )
    })
  })
  const fetch = createPooledFetch()
  for (let count = 0; count < 20; count++) {
    const response = await fetch(`${url}/v1?x=1`, { method: 'POST', headers: { 'x-two': 'z' }, body: 'größe' })
    t.same(
      [response.status, response.headers.get('x-one'), response.headers.getSetCookie()],
      [201, 'a', ['b=1', 'c=2']],
    )
    t.equal(await response.text(), 'POST /v1?x=1 z größe')
  }
  t.ok(connections() < 10)
})

t.test('a signal ends the call with its reason', async (t) => {
  const controller = new AbortController()
  const { url } = await listen(t, () => {
    controller.abort(new Error('gone'))
  })
  const fetching = createPooledFetch()(url, { signal: controller.signal })
  await t.rejects(fetching, { message: 'gone' })
})

for (const status of [301, 302, 307, 308])
  t.test(`a redirect with ${status} within the origin repeats the request`, async (t) => {
    const received: unknown[] = []
    const { url } = await listen(t, (request, response) => {
      if (request.url === '/v1') response.writeHead(status, { location: '/v1/' }).end('moved')
      else {
        received.push(request.method, request.url, request.headers.authorization)
        request.pipe(response)
      }
    })
    const init = { method: 'POST', headers: { authorization: 'Bearer k' }, body: 'b' }
    const response = await createPooledFetch()(`${url}/v1`, init)
    t.equal(await response.text(), 'b')
    t.same(received, ['POST', '/v1/', 'Bearer k'])
  })

for (const status of [301, 302, 307, 308])
  t.test(`a redirect with ${status} to another origin is not followed`, async (t) => {
    const received: unknown[] = []
    const other = await listen(t, (request, response) => {
      received.push(request.method)
      response.end('there')
    })
    const { url } = await listen(t, (_request, response) => {
      response.writeHead(status, { location: other.url }).end()
    })
    await t.rejects(createPooledFetch()(url, { method: 'POST', body: 'b' }), new ForeignRedirect())
    t.same(received, [])
  })

t.test('redirects without an end, without a target, and to a GET are replies', async (t) => {
  let count = 0
  const { url } = await listen(t, (request, response) => {
    count += 1
    const location = request.url === '/none' ? {} : { location: request.url }
    response.writeHead(request.url === '/get' ? 303 : 307, location).end()
  })
  const fetch = createPooledFetch()
  const statusOf = async (path: string) => (await fetch(url + path, { method: 'POST', body: 'b' })).status
  t.same([await statusOf('/none'), await statusOf('/get'), count], [307, 303, 2])
  t.same([await statusOf('/loop'), count], [307, 6])
})

const MIB = 1024 * 1024

t.test('a reply is read up to 4 MiB, and then its connection is closed', async (t) => {
  let sent = 0
  const { url } = await listen(t, (request, response) => {
    const closed = new Promise((resolve) => response.once('close', resolve))
    const chunk = Buffer.alloc(MIB, 'a')
    const send = (): void => {
      sent += 1
      if (request.url === '/fits' && sent === 4) response.end(chunk)
      else response.write(chunk, sendOn)
    }
    const sendOn = (error?: Error | null): void => {
      if (!error) send()
    }
    send()
    ended = closed
  })
  let ended: Promise<unknown> | undefined
  const fetch = createPooledFetch()
  t.equal((await (await fetch(`${url}/fits`)).text()).length, 4 * MIB)
  sent = 0
  await t.rejects(fetch(`${url}/endless`), new ReplyTooLarge())
  await ended
})

t.test('of an error only the first 16 KiB are read', async (t) => {
  const { url } = await listen(t, (_request, response) => {
    const chunk = Buffer.alloc(MIB, 'a')
    response.writeHead(500, { 'retry-after': '7' })
    const send = (error?: Error | null): void => {
      if (!error) response.write(chunk, send)
    }
    send()
  })
  const response = await createPooledFetch()(url)
  t.same([response.status, response.headers.get('retry-after'), (await response.text()).length], [500, '7', 16 * 1024])
})

const COMPLETION = '{"größe": 1}'

/** The body that a server sends, and the text that is read. */
const ENCODINGS: [name: string, headers: Record<string, string>, body: Buffer | string, text: string][] = [
  ['no content type', {}, COMPLETION, COMPLETION],
  ['text/plain', { 'content-type': 'text/plain' }, COMPLETION, COMPLETION],
  ['gzip', { 'content-encoding': 'gzip' }, gzipSync(COMPLETION), COMPLETION],
  ['x-gzip', { 'content-encoding': 'x-gzip' }, gzipSync(COMPLETION), COMPLETION],
  ['deflate', { 'content-encoding': 'deflate' }, deflateSync(COMPLETION), COMPLETION],
  ['br', { 'content-encoding': 'br' }, brotliCompressSync(COMPLETION), COMPLETION],
  ['gzip that is none', { 'content-encoding': 'gzip' }, COMPLETION, COMPLETION],
  ['identity', { 'content-encoding': 'identity' }, COMPLETION, COMPLETION],
]

for (const [name, headers, body, text] of ENCODINGS)
  t.test(`${name}: the reply is read as JSON`, async (t) => {
    const { url } = await listen(t, (_request, response) => {
      response.writeHead(200, headers).end(body)
    })
    const response = await createPooledFetch()(url)
    t.same(
      [response.headers.get('content-type'), response.headers.get('content-encoding'), await response.text()],
      ['application/json', null, text],
    )
  })

t.test('a small gzip of a large reply is too large, and of a large error nothing is read', async (t) => {
  const { url } = await listen(t, (request, response) => {
    const body = gzipSync(Buffer.alloc(64 * MIB))
    response.writeHead(request.url === '/error' ? 500 : 200, { 'content-encoding': 'gzip' }).end(body)
  })
  const fetch = createPooledFetch()
  await t.rejects(fetch(url), new ReplyTooLarge())
  const response = await fetch(`${url}/error`)
  t.equal(response.status, 500)
})

t.test('nothing describes this machine to the server', async (t) => {
  let headers: Record<string, unknown> = {}
  const { url } = await listen(t, (request, response) => {
    headers = request.headers
    response.end('{}')
  })
  const client = new OpenAI({ apiKey: 'k', baseURL: url, maxRetries: 0, fetch: createPooledFetch() })
  await client.chat.completions.create({ model: 'm', messages: [] })
  const names = Object.keys(headers).sort()
  t.same(names, ['accept', 'authorization', 'connection', 'content-length', 'content-type', 'host', 'user-agent'])
  t.match(headers['user-agent'], /^precis\/\d+\.\d+\.\d+$/)
})

t.test('a reply may have no body, and an error keeps its status when its body breaks off', async (t) => {
  const { url } = await listen(t, (request, response) => {
    const none = /^\/none(\d+)$/.exec(request.url ?? '')?.[1]
    if (none !== undefined) response.writeHead(Number(none)).end()
    else {
      response.writeHead(request.url === '/bad' ? 500 : 200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    }
  })
  const fetch = createPooledFetch()
  for (const status of [204, 205, 304]) t.equal((await fetch(`${url}/none${status}`)).status, status)
  t.equal((await fetch(`${url}/bad`)).status, 500)
  await t.rejects(fetch(`${url}/good`))
})
