import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../support/until.ts'
import type { Conversation, Sent } from './make-conversations.ts'

/** A conversation that takes longer hangs. One that does not takes milliseconds: the rest is room for a busy machine. */
const LIMIT_MS = 120_000

/** What came of a conversation. */
export interface Talk {
  statuses: number[]
  /** Whether the service has closed the connection after the last reply. */
  hasClosed: boolean
  fault?: string
}

/** Holds a conversation, and returns the statuses of its replies and what is wrong with them. */
export async function talk(port: number, conversation: Conversation): Promise<Talk> {
  const { sent, ending } = conversation
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const client = { socket, received: '', isClosed: false }
  socket.setNoDelay().on('error', () => undefined)
  socket.on('close', () => (client.isClosed = true))
  if (ending === 'deaf') socket.pause()
  else socket.on('data', (chunk: Buffer) => (client.received += chunk.toString('latin1')))
  socket.on('end', () => socket.end())
  const timer = setTimeout(() => socket.destroy(new Error('late')), LIMIT_MS)
  const startedAt = performance.now()
  await send(client, conversation)
  await end(client, conversation)
  await until(() => client.isClosed)
  clearTimeout(timer)
  if (performance.now() - startedAt >= LIMIT_MS)
    return { statuses: [], hasClosed: false, fault: `it hangs; received: ${client.received.slice(-300)}` }
  const replies = readReplies(client.received, sent)
  const fault = findFault(conversation, replies)
  const { statuses } = replies
  return { statuses, hasClosed: replies.hasClosed, ...(fault === undefined ? {} : { fault: `${ending}: ${fault}` }) }
}

interface Client {
  socket: Socket
  received: string
  isClosed: boolean
}

async function send(client: Client, { sent, split, ending }: Conversation): Promise<void> {
  for (const [index, { bytes, afterContinue }] of sent.entries()) {
    await write(client, split(bytes))
    if (afterContinue === undefined) continue
    // Each reply before has come when the `100 Continue` comes.
    const isContinued = (): boolean => readReplies(client.received, sent).statuses.length > expected(sent, index).length
    await until(() => client.isClosed || ending !== 'wait' || isContinued())
    await write(client, split(afterContinue))
  }
}

async function write({ socket }: Client, pieces: ReturnType<Conversation['split']>): Promise<void> {
  for (const { bytes, pauseMs } of pieces) {
    if (!socket.writable) return
    socket.write(bytes)
    if (pauseMs > 0) await pause(pauseMs)
  }
}

async function end(client: Client, { sent, ending }: Conversation): Promise<void> {
  const { socket } = client
  const isAnswered = (): boolean => readReplies(client.received, sent).statuses.length >= expected(sent).length
  if (ending === 'wait') {
    const isClosing = sent.at(-1)?.closes === true
    await until(() => client.isClosed || (!isClosing && isAnswered()))
    // More than was expected comes at once.
    await pause(1)
    socket.destroy()
  } else if (ending === 'half-close') socket.end()
  else if (ending === 'reset') socket.resetAndDestroy()
  else {
    if (ending === 'deaf') await pause(5)
    socket.destroy()
  }
}

/** Returns the statuses of all complete requests, or of those before one of them. */
const expected = (sent: readonly Sent[], before?: number): number[] =>
  sent.slice(0, before).flatMap(({ statuses = [] }) => statuses)

function findFault({ sent, ending }: Conversation, { statuses, rest, hasClosed }: Replies): string | undefined {
  // Fastify closes the connection after a body that it has refused: the client may send any amount more.
  const wanted = hasClosed ? expected(sent).slice(0, statuses.length) : expected(sent)
  const shown = `received ${statuses.join(' ')}, and ${rest.length} characters: ${rest.slice(0, 100)}`
  const isBroken = sent.some((one) => one.statuses === undefined)
  if (ending === 'wait') {
    if (rest !== '' && !(isBroken && sent.at(-1)?.closes !== true)) return `not a whole reply: ${shown}`
    if (wanted.some((status, index) => statuses[index] !== status)) return `expected ${wanted.join(' ')}, ${shown}`
    if (!isBroken && statuses.length > wanted.length) return `too many replies, ${shown}`
  }
  // Whoever does not wait may miss replies, but gets no others.
  const common = statuses.slice(0, wanted.length)
  if (common.some((status, index) => status !== wanted[index])) return `expected ${wanted.join(' ')}, ${shown}`
  const others = statuses.slice(wanted.length)
  return others.every((status) => status < 500) ? undefined : shown
}

interface Replies {
  statuses: number[]
  /** What is no complete reply. */
  rest: string
  hasClosed: boolean
}

/** Reads the replies of a connection. */
function readReplies(received: string, sent: readonly Sent[]): Replies {
  const statuses: number[] = []
  let hasClosed = false
  const heads = sent.flatMap((one) => (one.statuses ?? []).map(() => one.isHead === true))
  for (let at = 0; at < received.length;) {
    const endOfHead = received.indexOf('\r\n\r\n', at)
    const head = received.slice(at, endOfHead + 4)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0)
    const size = endOfHead < 0 ? -1 : sizeOfBody(head, received, endOfHead + 4)
    const isHead = heads[statuses.length] === true
    const next = endOfHead + 4 + (isHead ? 0 : size)
    if (status === 0 || size < 0 || next > received.length) return { statuses, rest: received.slice(at), hasClosed }
    statuses.push(status)
    hasClosed = /^connection: close/im.test(head)
    at = next
  }
  return { statuses, rest: '', hasClosed }
}

/** Returns the bytes of a reply's body; -1 if it is chunked and not complete. */
function sizeOfBody(head: string, received: string, start: number): number {
  if (!/^transfer-encoding: chunked/im.test(head)) return Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  for (let at = start; ;) {
    const endOfLine = received.indexOf('\r\n', at)
    const size = endOfLine < 0 ? Number.NaN : Number.parseInt(received.slice(at, endOfLine), 16)
    if (Number.isNaN(size)) return -1
    at = endOfLine + 2 + size + 2
    if (size === 0) return at - start
  }
}
