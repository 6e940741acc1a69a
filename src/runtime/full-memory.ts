import type { Readable } from 'node:stream'

/** The messages that Node and V8 write before they abort because the heap, or the process, has no memory left (Node 20 to 24). */
const WORDS = 'out of memory'

/** How long the end of the error output may take. It may never come: a process that the ended one has started may have it too. */
const END_MS = 1000

/**
 * Reads the error output of a process, and keeps nothing of it: an error may quote a session.
 * @returns a function to call when the process has ended: whether it has written that its memory is full
 */
export function watchForFullMemory(output: Readable): () => Promise<boolean> {
  let isFull = false
  let last = ''
  output.on('data', (chunk: Buffer) => {
    const text = last + chunk.toString('latin1')
    isFull ||= text.includes(WORDS)
    last = text.slice(1 - WORDS.length)
  })
  output.on('error', () => undefined)
  // Its output may be read after its exit.
  return () =>
    new Promise((resolve) => {
      const limit = setTimeout(() => output.destroy(), END_MS)
      const finish = (): void => {
        clearTimeout(limit)
        resolve(isFull)
      }
      if (output.closed) finish()
      else output.once('close', finish)
    })
}
