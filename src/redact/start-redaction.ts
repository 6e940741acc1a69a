import type { Message } from '../session/message.ts'
import { runSteps, type Steps } from '../steps.ts'
import { redactInSteps } from './redact-messages.ts'
import { redactText } from './redact-text.ts'

/** Replaces the secrets of one request, and counts them. */
export interface Redaction {
  isOn: boolean
  text: (text: string) => string
  messages: (messages: readonly Message[]) => readonly Message[]
  /** The same, a message a step. */
  inSteps: (messages: readonly Message[]) => Steps<readonly Message[]>
  /** How many were replaced so far. */
  count: () => number
}

/** Starts a request's redaction; switched off (`PRECIS_REDACT=false`) it hands everything back as it came. */
export function startRedaction(isOn: boolean): Redaction {
  let count = 0
  if (!isOn) return UNTOUCHED
  function* inSteps(messages: readonly Message[]): Steps<readonly Message[]> {
    const redacted = yield* redactInSteps(messages)
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
    messages: (messages) => runSteps(inSteps(messages)),
    inSteps,
    count: () => count,
  }
}

const UNTOUCHED: Redaction = {
  isOn: false,
  text: (text) => text,
  messages: (messages) => messages,
  *inSteps(messages) {
    return messages
  },
  count: () => 0,
}
