import { createServer, type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { limitPipelining } from '../../src/http/pipelining.ts'
import { until } from '../support/until.ts'
import { openSocket, listenOn } from '../support/sockets.ts'

/** A server that notes the requests of which it has begun the work, and a connection to it. */
async function start(t: Test) {
  const begun: { path: string; reply: ServerResponse }[] = []
  const server = createServer((request, reply) => void begun.push({ path: request.url ?? '', reply }))
  limitPipelining({ server })
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const opened = openSocket(t, await listenOn(t, server), {})
  return {
    begun,
    client: opened.socket,
    sockets,
    received: () => opened.reply,
    bodies: () => [...opened.reply.matchAll(/\r\n\r\n(\/\d+)/g)].map(([, body]) => body),
  }
}

const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
const requests = (count: number) =>
  paths(count)
    .map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    .join('')

t.test('four requests of a connection are worked on at once, and the next begins in a later turn', async (t) => {
  const { begun, client, bodies } = await start(t)
  client.write(requests(300))
  await until(() => begun.length > 0)
  let most = 0
  for (let ended = 0; ended < 300; ended++) {
    await until(() => begun.length > ended)
    most = Math.max(most, begun.length - ended)
    const { path, reply } = begun[ended] as (typeof begun)[number]
    const before = begun.length
    reply.end(path)
    await new Promise<void>((resolve) => {
      process.nextTick(resolve)
    })
    t.equal(begun.length, before, 'not before the event loop has turned')
  }
  await until(() => bodies().length === 300)
  t.same(bodies(), paths(300))
  t.equal(most, 4)
})

t.test('a connection is not read while many of its requests wait, and all of them are answered', async (t) => {
  const { begun, client, sockets, received, bodies } = await start(t)
  const count = 8000
  client.write(requests(count))
  await until(() => sockets[0]?.isPaused() === true)
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  t.equal(begun.length, 4)
  t.ok((sockets[0]?.bytesRead ?? 0) < 200_000, 'of 400 KB')
  let ended = 0
  const answer = setInterval(() => {
    for (; ended < begun.length; ended++) begun[ended]?.reply.end(begun[ended]?.path)
  })
  await until(() => ended === count)
  clearInterval(answer)
  await until(() => received().endsWith(`/${count - 1}`))
  t.same(bodies(), paths(count))
})

t.test('requests that wait when their connection closes are never begun', async (t) => {
  const { begun, client, sockets } = await start(t)
  client.write(requests(10))
  await until(() => begun.length === 4)
  client.destroy()
  await until(() => sockets[0]?.destroyed === true)
  for (const { reply } of begun) reply.end()
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  t.equal(begun.length, 4)
})
