import type { Message } from '../session/message.ts'
import { runToEnd, type Cooperative } from '../runtime/cooperative.ts'
import { redactCooperatively } from './redact-messages.ts'
import { redactText } from './redact-text.ts'
import type { FileLists } from '../session/entry.ts'

/** Replaces the secrets of one request and counts them. */
export interface Redaction {
  isOn: boolean
  text: (text: string) => string
  messages: (messages: readonly Message[]) => readonly Message[]
  /** Does what `messages` does, one message in each step. */
  cooperatively: (messages: readonly Message[]) => Cooperative<readonly Message[]>
  /** Returns how many secrets were replaced so far. */
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

/** Returns the redaction of one request. Switched off (`PRECIS_REDACT=false`), it returns everything unchanged. */
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

/** Returns file lists with the secrets in their paths replaced. */
export const redactFiles = ({ readFiles, modifiedFiles }: FileLists, { text }: Redaction): FileLists => ({
  readFiles: readFiles.map(text),
  modifiedFiles: modifiedFiles.map(text),
})

/** The shortest piece, except for the last one: short enough for one step, long enough for few steps. */
const MIN_PIECE_CHARACTERS = 32_768

/**
 * Returns a long text with its secrets replaced, one piece in each step.
 * @param starts the offsets at which messages begin, ascending: no secret reaches from one message into the next,
 *   except for a private key, so that a text with one is a single piece
 */
export function* redactInPieces(text: string, starts: readonly number[], redaction: Redaction): Cooperative<string> {
  if (!redaction.isOn || text.includes('PRIVATE KEY')) return redaction.text(text)
  const pieces: string[] = []
  let from = 0
  for (const start of [...starts, text.length]) {
    if (start - from < MIN_PIECE_CHARACTERS && start < text.length) continue
    pieces.push(redaction.text(text.slice(from, start)))
    from = start
    yield
  }
  return pieces.join('')
}
