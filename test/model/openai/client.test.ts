import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createPooledFetch } from '../../../src/model/openai/client.ts'

async function listen(t: Test, listener: RequestListener) {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections }
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

t.test('a redirect is followed with the body, and the key is not sent to another host', async (t) => {
  const received: unknown[] = []
  const other = await listen(t, (request, response) => {
    received.push(request.method, request.headers.authorization)
    response.end('there')
  })
  const { url } = await listen(t, (_request, response) => {
    response.writeHead(307, { location: other.url })
    response.end()
  })
  const response = await createPooledFetch()(url, { method: 'POST', headers: { authorization: 'Bearer k' }, body: 'b' })
  t.equal(await response.text(), 'there')
  t.same(received, ['POST', undefined])
})

t.test('a reply may have no body, and an error keeps its status when its body breaks off', async (t) => {
  const { url } = await listen(t, (request, response) => {
    if (request.url === '/none') response.writeHead(204).end()
    else {
      response.writeHead(request.url === '/bad' ? 500 : 200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    }
  })
  const fetch = createPooledFetch()
  t.equal((await fetch(`${url}/none`)).status, 204)
  t.equal((await fetch(`${url}/bad`)).status, 500)
  await t.rejects(fetch(`${url}/good`))
})
