import type { Message } from '../session/message.ts'
import { redactMessages } from './redact-messages.ts'
import { redactText } from './redact-text.ts'
import type { FileLists } from '../session/entry.ts'

/** Replaces the secrets of one request and counts them. */
export interface Redaction {
  isOn: boolean
  text: (text: string) => string
  messages: (messages: readonly Message[]) => readonly Message[]
  /** Returns how many secrets were replaced so far. */
  count: () => number
}

const UNTOUCHED: Redaction = {
  isOn: false,
  text: (text) => text,
  messages: (messages) => messages,
  count: () => 0,
}

/**
 * Returns the redaction of one request. Switched off (`PRECIS_REDACT=false`), it returns everything unchanged.
 * @param count how many secrets of the request were replaced before
 */
export function startRedaction(isOn: boolean, count = 0): Redaction {
  if (!isOn) return UNTOUCHED
  return {
    isOn,
    text(text) {
      const redacted = redactText(text)
      count += redacted.redactions
      return redacted.text
    },
    messages(messages) {
      const redacted = redactMessages(messages)
      count += redacted.redactions
      return redacted.messages
    },
    count: () => count,
  }
}

/** Returns file lists with the secrets in their paths replaced. */
export const redactFiles = ({ readFiles, modifiedFiles }: FileLists, { text }: Redaction): FileLists => ({
  readFiles: readFiles.map(text),
  modifiedFiles: modifiedFiles.map(text),
})
