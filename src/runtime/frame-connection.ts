import type { Duplex } from 'node:stream'
import { encodeFrame, FrameReader, type NumberedFrame, type OutgoingFrame } from './frames.ts'

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
