import type { Steps } from '../steps.ts'
import type { Redaction } from './start-redaction.ts'

/** Short enough for a step, long enough not to be many. */
const LEAST_PIECE_CHARACTERS = 32_768

/**
 * Replaces the secrets of a long text, a piece a step.
 * @param starts where messages begin in it, ascending: none of them has a part of a secret; but a private key may hold
 *   whatever it was cut up with, so that a text with one is a single piece
 */
export function* redactInPieces(text: string, starts: readonly number[], redaction: Redaction): Steps<string> {
  if (!redaction.isOn || text.includes('PRIVATE KEY')) return redaction.text(text)
  const pieces: string[] = []
  let from = 0
  for (const start of [...starts, text.length]) {
    if (start - from < LEAST_PIECE_CHARACTERS && start < text.length) continue
    pieces.push(redaction.text(text.slice(from, start)))
    from = start
    yield
  }
  return pieces.join('')
}
