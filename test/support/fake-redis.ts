import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * Starts a server that implements enough of Redis' protocol for the rate limit's script and for GET and SET. While it
 * hangs, it accepts connections and answers nothing: for machines without Redis, and for what no test can make a real one
 * do.
 */
export async function startFakeRedis(t: Test) {
  const redis = await openFakeRedis()
  t.teardown(redis.close)
  return redis
}

/** The same outside of a test: the caller closes it. */
export async function openFakeRedis() {
  const counts = new Map<string, number>()
  const values = new Map<string, string>()
  /** The names of the commands received, in lower case, without those with which a client opens a connection. */
  const commands: string[] = []
  const sockets = new Set<Socket>()
  let hangs = false
  let answerInstead: AnswerInstead = () => undefined
  const answer = (words: string[]): string => {
    const instead = answerInstead(words)
    if (instead !== undefined) return instead
    const [command = '', name = '', value = '', key = ''] = words
    if (/^get$/i.test(command)) return bulk(values.get(name))
    if (/^set$/i.test(command)) values.set(name, value)
    if (!/^eval(sha)?$/i.test(command)) return command.toLowerCase() === 'info' ? '$0\r\n\r\n' : '+OK\r\n'
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return `*2\r\n:${count}\r\n:42000\r\n`
  }
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay())
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const words of commandsIn(String(chunk))) {
        const name = (words[0] ?? '').toLowerCase()
        if (!OPENING.includes(name)) commands.push(name)
        if (!hangs) socket.write(answer(words))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    values,
    commands,
    /** Sends, from now on, what the function returns for a command; undefined for the usual answer. */
    answerWith: (given: AnswerInstead) => {
      answerInstead = given
    },
    hang: () => {
      hangs = true
    },
    recover: () => {
      hangs = false
    },
  }
}

/** Returns the answer to a command in Redis' protocol (RESP). */
type AnswerInstead = (words: readonly string[]) => string | undefined

const OPENING = ['hello', 'client', 'info']

/** Returns a text as an answer in Redis' protocol; none for undefined. */
export const bulk = (text: string | undefined): string =>
  text === undefined ? '$-1\r\n' : `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** The commands of a chunk, each as its words: `*2`, `$4`, `INFO`, `$1`, `x`. No command of the tests is split. */
function commandsIn(chunk: string): string[][] {
  return chunk
    .split(/^\*\d+\r\n/m)
    .filter((part) => part !== '')
    .map((part) => part.split('\r\n').filter((_, index) => index % 2 === 1))
}
