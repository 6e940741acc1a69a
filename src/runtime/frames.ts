import type { Duplex } from 'node:stream'
import { deserialize, serialize } from 'node:v8'

/** A message between two processes: a header, which is plain data and may contain Buffers, and bytes. */
export interface Frame {
  header: unknown
  body: Buffer
}

/** A frame that was received, with the number of its job: 0 for the one that says that a process is ready. */
export interface NumberedFrame extends Frame {
  job: number
}

/** A frame to be sent: its body may have several parts, so that a large one need not be copied as a whole. */
export interface OutgoingFrame {
  header: unknown
  body: readonly Buffer[]
}

/** Three numbers of 32 bits, little endian: the lengths of the header and of the body in bytes, and the number of the job. */
const START_BYTES = 12

/** Returns the bytes of a frame, in parts. An answer has the number of its job. */
export function encodeFrame({ header, body }: OutgoingFrame, job: number): Buffer[] {
  const encoded = serialize(header)
  const start = Buffer.alloc(START_BYTES)
  start.writeUInt32LE(encoded.length, 0)
  start.writeUInt32LE(byteLengthOf(body), 4)
  start.writeUInt32LE(job, 8)
  return [start, encoded, ...body]
}

/** Returns the size of some buffers, in bytes. */
export const byteLengthOf = (buffers: readonly Uint8Array[]): number =>
  buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)

/**
 * Reads frames from a stream of bytes, in chunks of any size. A part is copied into its place as it arrives: joining the
 * chunks of a large one at the end would stop the event loop. Buffers in a header are views, not copies. The other process
 * may write anything (a hook is not our code): after an error, it must be ended.
 */
export class FrameReader {
  readonly #maxBytes: number
  /** The part under way: first the start, then the header, then the body. */
  #part = Buffer.allocUnsafe(START_BYTES)
  #filledBytes = 0
  #start: { bodyBytes: number; job: number } | undefined
  #header: { value: unknown } | undefined

  /** @param maxBytes the largest size of a frame */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns the frames that this chunk has completed. @throws Error if the bytes are not those of a frame */
  push(chunk: Buffer): NumberedFrame[] {
    const frames: NumberedFrame[] = []
    let at = 0
    do {
      const copied = chunk.copy(this.#part, this.#filledBytes, at)
      at += copied
      this.#filledBytes += copied
      if (this.#filledBytes < this.#part.length) break
      const frame = this.#endPart()
      if (frame !== undefined) frames.push(frame)
    } while (at < chunk.length || this.#part.length === 0)
    return frames
  }

  #endPart(): NumberedFrame | undefined {
    const part = this.#part
    if (this.#start === undefined) {
      const [headerBytes, bodyBytes, job] = [0, 4, 8].map((at) => part.readUInt32LE(at)) as [number, number, number]
      if (headerBytes + bodyBytes > this.#maxBytes) throw new Error('A frame is larger than a process may send.')
      this.#start = { bodyBytes, job }
      this.#begin(headerBytes)
      return undefined
    }
    const { bodyBytes, job } = this.#start
    if (this.#header === undefined) {
      this.#header = { value: deserialize(part) }
      this.#begin(bodyBytes)
      return undefined
    }
    const frame = { header: this.#header.value, body: part, job }
    this.#start = this.#header = undefined
    this.#begin(START_BYTES)
    return frame
  }

  #begin(bytes: number): void {
    this.#part = Buffer.allocUnsafe(bytes)
    this.#filledBytes = 0
  }
}

interface FrameListener {
  /** The largest frame that the other process may send, in bytes. */
  maxBytes: number
  /** @throws Error if the frame makes no sense now */
  onFrame: (frame: NumberedFrame) => void
  /** Called once, when the other process has written something else than frames: nothing more can be read from it. */
  onBroken: () => void
}

/** The main process' end of a connection to another process. */
export class FrameConnection {
  readonly #stream: Duplex

  constructor(stream: Duplex, { maxBytes, onFrame, onBroken }: FrameListener) {
    this.#stream = stream
    const reader = new FrameReader(maxBytes)
    stream.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) onFrame(frame)
      } catch {
        stream.removeAllListeners('data').resume()
        onBroken()
      }
    })
    // Writing to a process that has just ended fails; its `exit` says so.
    stream.on('error', () => undefined)
  }

  /** Sends a frame, as fast as the other process reads it, until the connection is closed. */
  async send(frame: OutgoingFrame, job: number): Promise<void> {
    for (const chunk of encodeFrame(frame, job)) {
      if (this.#stream.destroyed) return
      if (!this.#stream.write(chunk)) await this.#drained()
    }
  }

  close(): void {
    this.#stream.destroy()
  }

  /** Waits until more can be written, or the connection is closed. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const stop = (): void => {
        this.#stream.off('drain', stop)
        this.#stream.off('close', stop)
        resolve()
      }
      this.#stream.on('drain', stop)
      this.#stream.on('close', stop)
    })
  }
}
