import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * Starts a server that speaks enough of Redis' protocol for the rate limit's one script, and answers nothing more once it
 * hangs: for machines without Redis, and for what a real one cannot be made to do.
 */
export async function startFakeRedis(t: Test) {
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  let hangs = false
  const answer = ([command = '', , , key = '']: string[]): string => {
    if (!/^eval(sha)?$/i.test(command)) return command.toLowerCase() === 'info' ? '$0\r\n\r\n' : '+OK\r\n'
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return `*2\r\n:${count}\r\n:42000\r\n`
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      if (!hangs) for (const words of commandsIn(String(chunk))) socket.write(answer(words))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    hang: () => {
      hangs = true
    },
  }
}

/** The commands of a chunk, each as its words: `*2`, `$4`, `INFO`, `$1`, `x`. No command of the tests is split. */
function commandsIn(chunk: string): string[][] {
  return chunk
    .split(/^\*\d+\r\n/m)
    .filter((part) => part !== '')
    .map((part) => part.split('\r\n').filter((_, index) => index % 2 === 1))
}
