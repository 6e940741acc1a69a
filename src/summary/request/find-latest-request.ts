import { beginning, REQUEST_CHARACTERS } from '../../extract/shorten.ts'
import { textOf, type Message } from '../../session/message.ts'

/** What agents put into a user's message beside the user's words. */
const WRAPPED = /<(system-reminder|environment_context|user_instructions)>[^]*?<\/\1>/g

/**
 * Finds the newest request of the user, word for word, up to 500 characters. Messages without a word of the user's own
 * (an image, a reminder that the agent wrote) are none.
 */
export function findLatestRequest(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.role !== 'user') continue
    const text = beginning(textOf(message.content).replace(WRAPPED, ''), REQUEST_CHARACTERS)
    if (/[\p{L}\p{N}]/u.test(text)) return text
  }
  return undefined
}
