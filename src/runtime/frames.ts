import { deserialize, serialize } from 'node:v8'

/** A message between two processes: a header, which is plain data and may contain Buffers, and bytes. */
export interface Frame {
  header: unknown
  body: Buffer
}

/** A frame to be sent: its body may have several parts, so that a large one need not be copied as a whole. */
export interface OutgoingFrame {
  header: unknown
  body: readonly Buffer[]
}

/** Two lengths in bytes, 32 bits each, little endian: of the header and of the body. */
const LENGTHS_BYTES = 8

/** Returns the bytes of a frame, in parts. */
export function encodeFrame({ header, body }: OutgoingFrame): Buffer[] {
  const encoded = serialize(header)
  const lengths = Buffer.alloc(LENGTHS_BYTES)
  lengths.writeUInt32LE(encoded.length, 0)
  lengths.writeUInt32LE(byteLengthOf(body), 4)
  return [lengths, encoded, ...body]
}

/** Returns the size of some buffers, in bytes. */
export const byteLengthOf = (buffers: readonly Uint8Array[]): number =>
  buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)

/**
 * Reads frames from a stream of bytes, in chunks of any size. A part is copied into its place as it arrives: joining the
 * chunks of a large one at the end would stop the event loop. Buffers in a header are views, not copies. Both ends are ours:
 * a broken frame is a defect.
 */
export class FrameReader {
  /** The part under way: first the lengths, then the header, then the body. */
  #part = Buffer.allocUnsafe(LENGTHS_BYTES)
  #filledBytes = 0
  #bodyBytes = 0
  #lengths: Buffer | undefined
  #header: { value: unknown } | undefined

  /** Returns the frames that this chunk has completed. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
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

  #endPart(): Frame | undefined {
    const part = this.#part
    if (this.#lengths === undefined) {
      this.#lengths = part
      this.#bodyBytes = part.readUInt32LE(4)
      this.#begin(part.readUInt32LE(0))
      return undefined
    }
    if (this.#header === undefined) {
      this.#header = { value: deserialize(part) }
      this.#begin(this.#bodyBytes)
      return undefined
    }
    const frame = { header: this.#header.value, body: part }
    this.#lengths = this.#header = undefined
    this.#begin(LENGTHS_BYTES)
    return frame
  }

  #begin(bytes: number): void {
    this.#part = Buffer.allocUnsafe(bytes)
    this.#filledBytes = 0
  }
}
