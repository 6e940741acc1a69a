import type { Message } from '../session/message.ts'
import { redactMessages } from './redact-messages.ts'
import { redactText } from './redact-text.ts'

/** Replaces the secrets of one request, and counts them. */
export interface Redaction {
  isOn: boolean
  text: (text: string) => string
  messages: (messages: readonly Message[]) => readonly Message[]
  /** How many were replaced so far. */
  count: () => number
}

/** Starts a request's redaction; switched off (`PRECIS_REDACT=false`) it hands everything back as it came. */
export function startRedaction(isOn: boolean): Redaction {
  let count = 0
  if (!isOn) return { isOn, text: (text) => text, messages: (messages) => messages, count: () => 0 }
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
