import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { RawReply } from './make-replies.ts'

interface RawModelServer {
  /** The base URL for an OpenAI client, without a slash at its end. */
  url: string
  /** Answers the next calls with these replies, the last one again and again. */
  answerWith: (replies: readonly RawReply[]) => void
  close: () => void
}

/**
 * Opens a model server on 127.0.0.1 that sends bytes as they are.
 * @param onHang called every few milliseconds while a reply is not continued, until the caller closes the connection
 */
export async function openRawModelServer(onHang: () => void): Promise<RawModelServer> {
  const sockets = new Set<Socket>()
  let replies: readonly RawReply[] = []
  let sent = 0
  const next = (): RawReply | undefined => replies[sent++] ?? replies.at(-1)
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay())
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const end = endOfRequest(received)
      if (end === undefined) return
      received = received.subarray(end)
      void send(socket, next(), onHang)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    answerWith: (given) => {
      replies = given
      sent = 0
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function endOfRequest(received: Buffer): number | undefined {
  const endOfHead = received.indexOf('\r\n\r\n')
  if (endOfHead < 0) return undefined
  const length = Number(/^content-length: *(\d+)/im.exec(received.toString('latin1', 0, endOfHead))?.[1] ?? 0)
  const end = endOfHead + 4 + length
  return received.length < end ? undefined : end
}

async function send(socket: Socket, reply: RawReply | undefined, onHang: () => void): Promise<void> {
  for (const { bytes, pauseMs } of reply?.pieces ?? []) {
    if (socket.destroyed) return
    socket.write(bytes)
    if (pauseMs > 0) await pause(pauseMs)
  }
  if (reply?.ending === 'end') socket.end()
  if (reply?.ending === 'reset') socket.resetAndDestroy()
  if (reply?.ending !== 'hang' || socket.destroyed) return
  const timer = setInterval(onHang, 5)
  socket.once('close', () => {
    clearInterval(timer)
  })
}
