import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { joinChunks } from '../../src/http/join-chunks.ts'
import { until } from '../support/until.ts'
import { openSocket, listenOn } from '../support/sockets.ts'

/** The most that Node takes from a connection in one read. */
const READ_BYTES = 65_536

const CHUNK = '1\r\na\r\n'

const KEPT_HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'

const HEAD = KEPT_HEAD.replace('chunked', 'chunked\r\nConnection: close')

/** A service on a real socket; the test says when the time is over that a connection has to wait. */
async function start(t: Test, handle: (request: IncomingMessage, reply: ServerResponse) => void) {
  const timers: { ms: number; fire: () => void }[] = []
  const server = createServer({
    IncomingMessage: joinChunks((fire, ms) => {
      timers.push({ fire, ms })
      return () => undefined
    }),
  })
  const arrived: Socket[] = []
  server.on('request', (request, reply) => {
    arrived.push(request.socket)
    handle(request, reply)
  })
  const port = await listenOn(t, server)
  const open = (text: string) => openSocket(t, port, { text })
  /** Lets the next connection go on, as soon as one waits. */
  const goOn = async (): Promise<number> => {
    await until(() => timers.length > 0)
    const [timer] = timers.splice(0, 1)
    timer?.fire()
    return timer?.ms ?? 0
  }
  return { open, goOn, timers, arrived }
}

/** Answers a body with the number of its chunks and bytes. */
function count(request: IncomingMessage, reply: ServerResponse): void {
  const counted = { chunks: 0, bytes: 0 }
  request.on('data', (chunk: Buffer) => {
    counted.chunks += 1
    counted.bytes += chunk.length
  })
  request.on('end', () => reply.end(JSON.stringify(counted)))
}

const bodyOf = ({ reply }: { reply: string }) => JSON.parse(reply.split('\r\n\r\n')[1] ?? '') as Record<string, number>

t.test('a body of 100,000 chunks arrives as a few, with all its bytes', async (t) => {
  const { open, timers } = await start(t, count)
  const sent = open(HEAD + CHUNK.repeat(100_000) + '0\r\n\r\n')
  await until(() => {
    for (const { fire } of timers.splice(0)) fire()
    return sent.socket.closed
  })
  const { chunks = 0, bytes } = bodyOf(sent)
  t.equal(bytes, 100_000)
  t.ok(chunks < 1000, `${chunks} chunks`)
})

t.test('the order of small and large chunks stays', async (t) => {
  let body = ''
  const { open } = await start(t, (request, reply) => {
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => reply.end())
  })
  const large = 'L'.repeat(5000)
  const parts = ['a', large, 'b', 'c', large, large, 'd']
  const sent = open(HEAD + parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('') + '0\r\n\r\n')
  await until(() => sent.socket.closed)
  t.equal(body, parts.join(''))
})

t.test('a chunk that comes alone does not wait for others', async (t) => {
  let body = ''
  const { open, timers } = await start(t, (request) => {
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  })
  const { socket } = open(HEAD + CHUNK)
  for (let length = 1; length <= 5; length++) {
    await until(() => body.length === length)
    socket.write(CHUNK)
  }
  t.same(timers, [])
})

for (const [what, handle] of [
  ['A body', count],
  ['The rest of a body that was refused', (_request: IncomingMessage, reply: ServerResponse) => reply.end('no')],
] as const)
  t.test(`${what} in tiny chunks is read no further until its time has come`, async (t) => {
    const { open, goOn, timers, arrived } = await start(t, handle)
    open(KEPT_HEAD + CHUNK.repeat(200_000))
    let readBytes = 0
    for (let turn = 1; turn <= 5; turn++) {
      await until(() => timers.length === 1)
      // Other connections are served meanwhile.
      const others = [open(HEAD + '0\r\n\r\n'), open(HEAD + '0\r\n\r\n')]
      await until(() => others.every(({ socket }) => socket.closed))
      const bytes = arrived[0]?.bytesRead ?? 0
      t.ok(bytes > readBytes && bytes <= readBytes + READ_BYTES, `${bytes} bytes`)
      readBytes = bytes
      const waitMs = await goOn()
      t.ok(waitMs >= 1024 * 0.005 && waitMs <= (READ_BYTES / CHUNK.length + 1) * 0.005, `${waitMs} ms`)
    }
  })

t.test('connections that wait go on one after another, and those that have closed are skipped', async (t) => {
  const { open, goOn, timers, arrived } = await start(t, count)
  for (let count = 1; count <= 3; count++) open(HEAD + CHUNK.repeat(200_000))
  await until(() => arrived.filter(({ bytesRead }) => bytesRead > 6 * 1024).length === 3)
  const before = arrived.map(({ bytesRead }) => bytesRead)
  const [, second] = arrived
  await new Promise((resolve) => second?.once('close', resolve).destroy())
  t.equal(timers.length, 1)
  await goOn()
  await goOn()
  await until(() => [0, 2].every((index) => (arrived[index]?.bytesRead ?? 0) > (before[index] ?? Infinity)))
  await until(() => timers.length === 1)
})
