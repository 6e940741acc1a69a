import type { Message } from '../session/message.ts'
import { runToEnd, type Cooperative } from '../runtime/cooperative.ts'
import { redactCooperatively } from './redact-messages.ts'
import { redactText } from './redact-text.ts'
import type { FileLists } from '../session/entry.ts'

/** Replaces the secrets of one request, and counts them. */
export interface Redaction {
  isOn: boolean
  text: (text: string) => string
  messages: (messages: readonly Message[]) => readonly Message[]
  /** The same, a message a step. */
  cooperatively: (messages: readonly Message[]) => Cooperative<readonly Message[]>
  /** How many were replaced so far. */
  count: () => number
}

const UNTOUCHED: Redaction = {
  isOn: false,
  text: (text) => text,
  messages: (messages) => messages,
  *cooperatively(messages) {
    return messages
  },
  count: () => 0,
}

/** Starts a request's redaction; switched off (`PRECIS_REDACT=false`) it hands everything back as it came. */
export function startRedaction(isOn: boolean): Redaction {
  let count = 0
  if (!isOn) return UNTOUCHED
  function* cooperatively(messages: readonly Message[]): Cooperative<readonly Message[]> {
    const redacted = yield* redactCooperatively(messages)
    count += redacted.redactions
    return redacted.messages
  }
  return {
    isOn,
    text(text) {
      const redacted = redactText(text)
      count += redacted.redactions
      return redacted.text
    },
    messages: (messages) => runToEnd(cooperatively(messages)),
    cooperatively,
    count: () => count,
  }
}

export const redactFiles = ({ readFiles, modifiedFiles }: FileLists, { text }: Redaction): FileLists => ({
  readFiles: readFiles.map(text),
  modifiedFiles: modifiedFiles.map(text),
})

/** Short enough for a step, long enough not to be many. */
const LEAST_PIECE_CHARACTERS = 32_768

/**
 * Replaces the secrets of a long text, a piece a step.
 * @param starts where messages begin in it, ascending: none of them has a part of a secret; but a private key may hold
 *   whatever it was cut up with, so that a text with one is a single piece
 */
export function* redactInPieces(text: string, starts: readonly number[], redaction: Redaction): Cooperative<string> {
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
