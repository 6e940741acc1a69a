import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { answerBrokenRequests } from '../../src/http/answer-broken-requests.ts'

/** A server that waits for a request as long as the service does, only in milliseconds. */
async function listen(t: Test): Promise<number> {
  const server = createServer({ requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 })
  server.on('clientError', answerBrokenRequests)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** All that comes back until the connection is closed. */
function send(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let reply = ''
    socket.on('data', (chunk: Buffer) => (reply += chunk.toString()))
    socket.on('error', reject)
    socket.on('close', () => {
      resolve(reply)
    })
    socket.write(text)
  })
}

t.test('a body that comes too slowly is 408, and its connection ends', async (t) => {
  const port = await listen(t)
  const reply = await send(port, 'POST /compaction HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"pro')
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  t.match(head, /^HTTP\/1\.1 408 The body came too slowly\r\nContent-Type: application\/problem\+json\r\n/)
  t.match(JSON.parse(body), { type: 'urn:precis:problem:request-timeout', status: 408 })
})

t.test('bytes that are no HTTP are 400', async (t) => {
  const port = await listen(t)
  const reply = await send(port, 'this is no request\r\n\r\n')
  t.match(reply, /^HTTP\/1\.1 400 Invalid request\r\n[^]*"type":"urn:precis:problem:invalid-request"/)
})
