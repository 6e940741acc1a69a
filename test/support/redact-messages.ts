import { startRedaction } from '../../src/redact/redaction.ts'
import type { Message } from '../../src/session/message.ts'

/** Returns messages with their secrets replaced, as in a request that has nothing else. */
export function redactMessages(messages: readonly Message[]) {
  const redaction = startRedaction(true, { messages })
  return { messages: redaction.messages(messages), redactions: redaction.count() }
}
