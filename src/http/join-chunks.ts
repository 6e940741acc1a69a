import { IncomingMessage } from 'node:http'
import { startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'

/** Chunks of this size are passed on at once: it costs more to copy them than to handle them one by one. */
const LARGE_BYTES = 4096

/** The chunks of a body that are read in a turn of the event loop, above which its connection waits. */
const MAX_CHUNKS = 1024

/**
 * How long a connection waits for each of these chunks, in milliseconds. Node takes about 0.001 ms to parse one (measured): all
 * connections with tiny chunks together take about a quarter of the event loop.
 */
const WAIT_MS_PER_CHUNK = 0.005

/**
 * Returns a class of requests whose bodies have few chunks, however tiny those are that the client sends (RFC 9112,
 * section 7.1): those that arrive in a turn of the event loop are joined. One read of a connection, of at most 64 KiB, may have
 * 10,900 of them. A connection with so many waits, so that others are served meanwhile, and connections that wait go on one
 * after another. This holds for all bodies, also for those that are refused and only read to their end.
 */
export function joinChunks(startTimer: StartTimer = startRealTimer): typeof IncomingMessage {
  const turns = new Turns(startTimer)
  return class extends JoinedRequest {
    override readonly turns = turns
  }
}

abstract class JoinedRequest extends IncomingMessage {
  /** Those of all connections. */
  abstract readonly turns: Turns
  readonly #chunks: Buffer[] = []
  #chunksInTurn = 0
  #isHeld = false

  /** Called by Node's parser with each chunk. Without `true`, it stops reading the connection until `_read`. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) this.#passOn()
    if (chunk === null) return super.push(null)
    if (this.#chunksInTurn === 0) setImmediate(this.#endTurn)
    this.#chunksInTurn += 1
    this.#chunks.push(chunk)
    const isTaken = chunk.length >= LARGE_BYTES || this.#chunks.length === MAX_CHUNKS ? this.#passOn() : true
    if (this.#chunksInTurn === MAX_CHUNKS) this.#isHeld = true
    return isTaken && !this.#isHeld
  }

  override _read(size: number): void {
    if (!this.#isHeld) super._read(size)
  }

  /** Called by Node if a reply ends and nobody has read the body, which it would parse from then on without any limit. */
  _dump(): void {
    this.resume()
  }

  readonly #endTurn = (): void => {
    const costMs = this.#chunksInTurn * WAIT_MS_PER_CHUNK
    this.#chunksInTurn = 0
    if (this.#isHeld) this.turns.wait({ request: this, costMs, begin: this.#goOn })
    this.#passOn()
  }

  readonly #goOn = (): void => {
    this.#isHeld = false
    if (this.readableLength < this.readableHighWaterMark) super._read(0)
  }

  #passOn(): boolean {
    const chunks = this.#chunks.splice(0)
    if (chunks.length === 0 || this.destroyed) return true
    return super.push(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  }
}

interface Turn {
  request: IncomingMessage
  costMs: number
  begin: () => void
}

/** The connections that wait, in the order in which they came. */
class Turns {
  readonly #startTimer: StartTimer
  readonly #waiting: Turn[] = []

  constructor(startTimer: StartTimer) {
    this.#startTimer = startTimer
  }

  wait(turn: Turn): void {
    this.#waiting.push(turn)
    if (this.#waiting.length === 1) this.#startNext()
  }

  /** Connections that have closed meanwhile cost no time. */
  #startNext(): void {
    while (this.#waiting[0]?.request.destroyed === true) this.#waiting.shift()
    const [next] = this.#waiting
    if (next === undefined) return
    this.#startTimer(() => {
      this.#waiting.shift()
      next.begin()
      this.#startNext()
    }, next.costMs)
  }
}
