import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerBrokenRequests } from './reply-order.ts'
import { factsOf, type RequestFacts } from './request-facts.ts'

/** The time over which a transfer must reach the least rate. */
const WINDOW_MS = 10_000

const CHECK_MS = 1000

/** Decides from samples whether a transfer is too slow: whether it had fewer bytes in any window than the rate demands. */
export class RateMeter {
  readonly #bytesPerWindow: number
  /** The newest sample that is older than a window, and all newer ones. */
  #samples: { atMs: number; bytes: number }[] = []

  constructor(bytesPerSecond: number) {
    this.#bytesPerWindow = (bytesPerSecond * WINDOW_MS) / 1000
  }

  /**
   * Takes a sample, and returns whether the transfer is too slow.
   * @param bytes all bytes so far
   */
  isTooSlow(atMs: number, bytes: number): boolean {
    // This process was late itself, and may not have seen bytes that have arrived.
    if (atMs - (this.#samples.at(-1)?.atMs ?? atMs) > WINDOW_MS / 2) this.restart()
    this.#samples.push({ atMs, bytes })
    while (atMs - (this.#samples[1]?.atMs ?? atMs) >= WINDOW_MS) this.#samples.shift()
    const oldest = this.#samples[0] ?? { atMs, bytes }
    return atMs - oldest.atMs >= WINDOW_MS && bytes - oldest.bytes < this.#bytesPerWindow
  }

  /** Begins a new window, because the other side had nothing to do until now. */
  restart(): void {
    this.#samples = []
  }
}

interface MinRateOptions {
  /** Bytes per second; 0: any rate is accepted. */
  minRate: number
  /** Calls back again and again with the time of a monotonic clock, until the returned function is called; default: each second. */
  startChecks?: (check: (nowMs: number) => void) => () => void
}

const checkEachSecond: NonNullable<MinRateOptions['startChecks']> = (check) => {
  const timer = setInterval(() => check(performance.now()), CHECK_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Ends requests whose body arrives too slowly (408), and connections whose client reads its reply too slowly: both take
 * memory for as long as they last.
 */
export function endSlowTransfers(
  app: FastifyInstance,
  { minRate, startChecks = checkEachSecond }: MinRateOptions,
): void {
  if (minRate === 0) return
  const checks = new Set<(nowMs: number) => void>()
  const stop = startChecks((nowMs) => {
    for (const check of checks) check(nowMs)
  })
  app.addHook('onClose', async () => stop())
  app.addHook('onRequest', async (request, reply) => {
    // Not the request itself, which has the body until a job has read it.
    const { raw } = request
    // Taken now: Node may detach a request from its socket later.
    const transfer = { raw, socket: raw.socket, response: reply.raw, facts: factsOf(request) }
    const body = new RateMeter(minRate)
    const sent = new RateMeter(minRate)
    const check = (nowMs: number): void => {
      const hasEnded = transfer.response.writableFinished || transfer.socket.destroyed
      if (!hasEnded && isBodyTooSlow(transfer, body, nowMs)) refuseBody(transfer)
      else if (!hasEnded && isReplyTooSlow(transfer, sent, nowMs)) endConnection(transfer)
      else if (!hasEnded) return
      checks.delete(check)
    }
    checks.add(check)
  })
}

interface Transfer {
  raw: IncomingMessage
  socket: Socket
  response: ServerResponse
  facts: RequestFacts
}

function isBodyTooSlow({ raw, socket }: Transfer, meter: RateMeter, nowMs: number): boolean {
  // A body that cannot be decompressed is not read to its end.
  if (raw.complete || raw.destroyed) return false
  // While bytes are waiting, it is this service that is slow.
  if (raw.readableLength > 0) meter.restart()
  return meter.isTooSlow(nowMs, socket.bytesRead)
}

function refuseBody({ socket, response, facts }: Transfer): void {
  facts['problem'] = 'request-timeout'
  if (response.headersSent) socket.destroy()
  else answerBrokenRequests(Object.assign(new Error('slow body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
}

function isReplyTooSlow({ socket }: Transfer, meter: RateMeter, nowMs: number): boolean {
  const acceptedBytes = countAcceptedBytes(socket)
  if (socket.writableLength === 0 || acceptedBytes === undefined) {
    meter.restart()
    return false
  }
  return meter.isTooSlow(nowMs, acceptedBytes)
}

function endConnection({ socket, facts }: Transfer): void {
  facts['tooSlow'] = true
  socket.destroy()
}

/**
 * Returns how many bytes the system has accepted. `socket.bytesWritten` counts a large write as a whole when it begins; Node's
 * own socket time-out looks at the same handle to see the progress of one (lib/net.js, `_onTimeout`).
 */
function countAcceptedBytes(socket: Socket): number | undefined {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : undefined
}
