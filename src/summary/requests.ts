import { beginning, REQUEST_CHARACTERS } from '../text/shorten.ts'
import { textOf, type Message } from '../session/message.ts'
import { insertInSection } from './sections.ts'

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

const ENDS_AS_QUESTION = /[?？؟][\s*_)"'”」]*$/

/**
 * Finds the question that nobody has answered: the agent's last text ends as one, and no message of the user follows. It
 * is told word for word, by its last paragraph, up to 500 characters from its beginning.
 */
export function findOpenQuestion(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.role === 'user') return undefined
    const text = message?.role === 'assistant' ? textOf(message.content).trim() : ''
    if (text !== '') return ENDS_AS_QUESTION.test(text) ? questionOf(text) : undefined
  }
  return undefined
}

function questionOf(text: string): string {
  const paragraph =
    text
      .split(/\n\s*\n/)
      .at(-1)
      ?.trim() ?? text
  if (paragraph.length <= REQUEST_CHARACTERS) return paragraph
  const sentence = /[^.!?。！？\n]*[?？؟][\s*_)"'”」]*$/.exec(paragraph.slice(-REQUEST_CHARACTERS))?.[0] ?? paragraph
  return beginning(sentence, REQUEST_CHARACTERS)
}

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replace(/^[ \t]*>[ \t]?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** A line that would pass for a heading, a rule or a tag of ours is moved in by a space: it stays word for word. */
const harmless = (text: string): string => text.replace(/^(?=#{1,6} |---$|<\/?(?:read|modified)-files>)/gm, ' ')

/**
 * Sees to it that texts stand in a summary word for word: what is missing is put into `## Critical Context`. White space
 * and quote marks at the start of lines do not count.
 */
export function keepWordForWord(
  summary: string,
  wanted: readonly string[],
): { summary: string; status: 'kept' | 'restored' } {
  const held = plain(summary)
  const missing = wanted.filter((text) => !held.includes(plain(text)))
  if (missing.length === 0) return { summary, status: 'kept' }
  const lines = missing.map((text) => `- ${harmless(text)}`)
  return { summary: insertInSection(summary, '## Critical Context', { lines }), status: 'restored' }
}
