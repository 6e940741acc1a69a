import type { PairedMessages } from '../extract/runs.ts'
import { readUserAnswers } from '../extract/user-answers.ts'
import { readUserText } from '../extract/user-text.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import type { UserAnswer } from '../session/message.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { cutAtParagraph, REQUEST_CHARACTERS } from './requests.ts'

/**
 * Returns the user's own words in messages, newest first, each text once; without texts that agents add. An answer to the
 * agent's question stands below the question in short.
 */
export function collectUserMessages({ messages, runs }: PairedMessages): string[] {
  const texts = messages.flatMap(
    (message) => readUserText(message) ?? readUserAnswers(message, runs.get(message)?.call).map(writeAnswer),
  )
  return [...new Set(texts.reverse())]
}

const MAX_QUESTION_CHARACTERS = 200

const writeAnswer = ({ question, answer }: UserAnswer): string =>
  question === '' ? answer : `(Answer to "${shorten(oneLine(question), MAX_QUESTION_CHARACTERS)}")\n${answer}`

const LEGEND = '(Word for word, newest first.)'

const LEFT_OUT = /^\((\d{1,9}) older messages are left out\.\)$/

/** The section of a summary with the user's messages. */
export interface UserMessages {
  /** Newest first. */
  texts: string[]
  /** The number of older messages that had no room. */
  leftOut: number
}

export const noUserMessages = (): UserMessages => ({ texts: [], leftOut: 0 })

/**
 * Writes messages of the user as a section, each as a block quote, as far as there is room: a long message is cut at a
 * paragraph, and of those that do not fit only the number is given.
 * @param texts newest first
 * @returns an empty string where there is no message, or no room
 */
export function writeUserMessages({ texts, leftOut }: UserMessages, maxTokens: number): string {
  const shown: string[] = []
  let left = maxTokens - estimateTextTokens(`${HEADINGS.userMessages}\n${LEGEND}\n\n${writeLeftOut(texts.length)}\n`)
  for (const text of texts) {
    const quoted = quoteMessage(cutAtParagraph(text, REQUEST_CHARACTERS).text)
    left -= estimateTextTokens(`${quoted}\n\n`)
    if (left < 0) break
    shown.push(quoted)
  }
  if (shown.length === 0) return ''
  const missing = leftOut + texts.length - shown.length
  return [`${HEADINGS.userMessages}\n${LEGEND}`, ...shown, ...(missing === 0 ? [] : [writeLeftOut(missing)])].join(
    '\n\n',
  )
}

const writeLeftOut = (count: number): string => `(${count} older messages are left out.)`

/** Returns a text as it is read again from its quote. */
export const asQuoted = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => (line.trim() === '' ? '' : line))
    .join('\n')

/** Each line of a block quote has its mark, so that none of them can be a heading or a tag. */
export const quoteMessage = (text: string): string =>
  asQuoted(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

const QUOTED = /^>(?: |$)/

/** Reads the lines of a section of the user's messages that code wrote, and returns those after them. */
export function readUserMessageLines(lines: readonly string[], found: UserMessages): string[] {
  let quoted: string[] = []
  const close = (): void => {
    if (quoted.length > 0) found.texts.push(quoted.join('\n'))
    quoted = []
  }
  const end = lines.findIndex((line) => {
    if (QUOTED.test(line)) {
      quoted.push(line.slice(2))
      return false
    }
    close()
    const count = LEFT_OUT.exec(line.trim())?.[1]
    if (count !== undefined) found.leftOut = Number(count)
    return line.trim() !== '' && line.trim() !== LEGEND && count === undefined
  })
  close()
  return end < 0 ? [] : lines.slice(end)
}
