import { findBlocks, removeBlocks } from '../text/find-in-text.ts'
import { beginning, REQUEST_CHARACTERS } from '../text/shorten.ts'
import { textOf, type Message } from '../session/message.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { insertInSection, quoteSectionLines } from './sections.ts'

/**
 * Returns the newest request of the user, word for word, up to 500 characters. Messages without the user's own words
 * (an image, a reminder that the agent wrote) do not count.
 */
export function findLatestRequest(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.role !== 'user') continue
    const text = beginning(withoutAgentTags(textOf(message.content)), REQUEST_CHARACTERS)
    if (/[\p{L}\p{N}]/u.test(text)) return text
  }
  return undefined
}

/** Tags of text that agents add to a user's message. */
const AGENT_TAGS = ['system-reminder', 'environment_context', 'user_instructions']

const withoutAgentTags = (text: string): string =>
  AGENT_TAGS.reduce((rest, tag) => removeBlocks(rest, findBlocks(rest, new RegExp(`<${tag}>`), `</${tag}>`)), text)

/**
 * Returns the unanswered question: the agent's last text ends with it, and no message of the user follows. It is the
 * last paragraph, word for word, up to 500 characters from its beginning.
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

const ENDS_AS_QUESTION = /[?？؟][\s*_)"'”」]*$/

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

/**
 * Returns a summary that contains texts word for word: missing texts are added to `## Critical Context`. White space,
 * and quote marks at the start of lines, do not count.
 */
export function keepWordForWord(
  summary: string,
  wanted: readonly string[],
): { summary: string; status: 'kept' | 'restored' } {
  const plainSummary = plain(summary)
  const missing = wanted.filter((text) => !plainSummary.includes(plain(text)))
  if (missing.length === 0) return { summary, status: 'kept' }
  const lines = missing.map((text) => `- ${quoteSectionLines(text)}`)
  return { summary: insertInSection(summary, HEADINGS.context, { lines }), status: 'restored' }
}

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replace(/^[ \t]*>[ \t]?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
