import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket, type TcpNetConnectOpts } from 'node:net'
import type { Test } from 'tap'

/** Lets a server listen until the test ends. Returns its port. */
export async function listenOn(t: Test, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

export interface OpenSocket {
  socket: Socket
  /** What has come back. */
  reply: string
  isClosed: boolean
  closed: Promise<void>
}

/** Opens a connection that sends a text, and collects what comes back until the test ends. */
export function openSocket(
  t: Test,
  port: number,
  { text = '', isDeaf = false, ...options }: { text?: string; isDeaf?: boolean } & Partial<TcpNetConnectOpts>,
): OpenSocket {
  const socket = connect({ port, host: '127.0.0.1', ...options })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      opened.isClosed = true
      resolve()
    })
  })
  const opened: OpenSocket = { socket, reply: '', isClosed: false, closed }
  socket.on('error', () => undefined)
  if (isDeaf) socket.pause()
  else socket.on('data', (chunk: Buffer) => (opened.reply += chunk.toString()))
  if (text !== '') socket.write(text)
  t.teardown(() => socket.destroy())
  return opened
}
