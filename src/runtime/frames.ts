import { deserialize, serialize } from 'node:v8'

/** A message between two processes: a header, which is plain data, and bytes. */
export interface Frame {
  header: unknown
  /** In order; the chunks are views of what arrived, not copies. */
  body: Buffer[]
}

/** Two lengths in bytes, 32 bits each, little endian: of the header and of the body. */
const LENGTHS_BYTES = 8

/**
 * Encodes what stands before a frame's body. The body follows in chunks of any size, so that a large one is never copied
 * as a whole.
 * @param header plain data, as the structured clone algorithm takes it
 */
export function encodeHead(header: unknown, bodyBytes: number): Buffer {
  const encoded = serialize(header)
  const lengths = Buffer.alloc(LENGTHS_BYTES)
  lengths.writeUInt32LE(encoded.length, 0)
  lengths.writeUInt32LE(bodyBytes, 4)
  return Buffer.concat([lengths, encoded])
}

/** Returns the size of some chunks, in bytes. */
export const byteLengthOf = (chunks: readonly Uint8Array[]): number =>
  chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** Reads frames from a stream of bytes, in chunks of any size. Both ends are ours: a broken frame is a defect. */
export class FrameReader {
  #chunks: Buffer[] = []
  #bufferedBytes = 0
  /** What the frame under way needs before it can go on. */
  #wantedBytes = LENGTHS_BYTES
  #lengths: { header: number; body: number } | undefined
  #header: { value: unknown } | undefined

  /** Returns the frames that this chunk has completed. */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk)
    this.#bufferedBytes += chunk.length
    const frames: Frame[] = []
    while (this.#bufferedBytes >= this.#wantedBytes) {
      const frame = this.#advance()
      if (frame !== undefined) frames.push(frame)
    }
    return frames
  }

  #advance(): Frame | undefined {
    const taken = this.#take(this.#wantedBytes)
    if (this.#lengths === undefined) {
      const lengths = Buffer.concat(taken)
      this.#lengths = { header: lengths.readUInt32LE(0), body: lengths.readUInt32LE(4) }
      this.#wantedBytes = this.#lengths.header
      return undefined
    }
    if (this.#header === undefined) {
      this.#header = { value: deserialize(Buffer.concat(taken)) }
      this.#wantedBytes = this.#lengths.body
      return undefined
    }
    const frame = { header: this.#header.value, body: taken }
    this.#lengths = this.#header = undefined
    this.#wantedBytes = LENGTHS_BYTES
    return frame
  }

  /** Takes so many bytes from the front. */
  #take(bytes: number): Buffer[] {
    const taken: Buffer[] = []
    let left = bytes
    let used = 0
    while (left > 0) {
      const chunk = this.#chunks[used]
      if (chunk === undefined) break
      if (chunk.length <= left) used += 1
      else this.#chunks[used] = chunk.subarray(left)
      taken.push(chunk.length <= left ? chunk : chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
    }
    this.#chunks.splice(0, used)
    this.#bufferedBytes -= bytes
    return taken
  }
}
