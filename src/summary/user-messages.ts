import type { PairedMessages } from '../extract/runs.ts'
import { isSmallTalk, questionInShort, readQuestionAtEnd, readUserAnswers, readUserText } from '../extract/user-text.ts'
import { textOf, type AssistantMessage, type UserAnswer } from '../session/message.ts'
import { oneLine, truncateMiddle } from '../text/shorten.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { cutPastes, cutRequest, REQUEST_CHARACTERS } from '../extract/cut-request.ts'
import { closeMarks } from '../text/close-marks.ts'

/** A message of the user, or what the user said in the result of a tool. */
interface UserWords {
  text: string
  /** As a summary quotes it: an answer to a question of the agent is below the question in short. */
  quoted: string
}

/**
 * Returns the user's own words in messages, newest first, each text once; without texts that agents add, and without greetings,
 * commands of the client and words to go on. "ok" after a question is an answer.
 */
export function collectUserMessages({ messages, runs }: PairedMessages): UserWords[] {
  const found = new Map<string, UserWords>()
  let question: string | undefined
  const add = (text: string, quoted: string): void => {
    found.delete(text)
    found.set(text, { text, quoted })
  }
  for (const message of messages) {
    const text = readUserText(message)
    for (const answer of readUserAnswers(message, runs.get(message)?.call))
      add(writeAnswer(answer), writeAnswer(answer))
    if (message.role === 'assistant') question = readQuestion(message, question)
    if (text === undefined) continue
    const isAnswer = question !== undefined && text.length <= MAX_ANSWER_CHARACTERS && !text.startsWith('/')
    if (isAnswer) add(text, writeAnswer({ question: question ?? '', answer: text }))
    else if (!isSmallTalk(text)) add(text, text)
    question = undefined
  }
  return [...found.values()].reverse()
}

/** Returns the question with which an answer of the agent ends; the earlier one if the answer has no text. */
function readQuestion({ content }: AssistantMessage, earlier: string | undefined): string | undefined {
  const text = textOf(content)
  return text.trim() === '' ? earlier : readQuestionAtEnd(text)
}

const MAX_QUESTION_CHARACTERS = 200

/** A longer message says itself what it is about. */
const MAX_ANSWER_CHARACTERS = 400

const writeAnswer = ({ question, answer }: UserAnswer): string =>
  question === '' ? answer : `${ANSWER_TO}${questionInShort(oneLine(question), MAX_QUESTION_CHARACTERS)}")\n${answer}`

/**
 * Returns the quotes of messages, each once, without those that are quoted elsewhere. An earlier summary has the same texts as quotes.
 * @param without the texts, and the answers to questions, that are elsewhere
 */
export function quotesWithout(
  all: readonly UserWords[],
  { texts, answers }: { texts: readonly string[]; answers: readonly string[] },
): string[] {
  const quotes = new Map<string, string>()
  for (const { text, quoted } of all) if (!quotes.has(asQuoted(text))) quotes.set(asQuoted(text), quoted)
  for (const text of texts) quotes.delete(asQuoted(text))
  const ends = answers.map((answer) => `")\n${asQuoted(answer)}`)
  for (const text of quotes.keys())
    if (text.startsWith(ANSWER_TO) && ends.some((end) => text.endsWith(end))) quotes.delete(text)
  return [...quotes.values()]
}

const ANSWER_TO = '(Answer to "'

const LEGEND = '(Word for word, newest first.)'

/** What stands below it where there are several: out of their order, one of them is read as an order. */
const NOTE =
  '(Without the newest request, which is above. What one of these asks for may be done, and was for that request.)'

const MIN_WITH_NOTE = 3

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
 * Writes messages of the user as a section, each as a block quote, as far as there is room. The middle of a long message is left out: the
 * fewer of them fit, the shorter, so that one of them does not take the place of many. Of those that do not fit at all, only the number is
 * given. In all but the newest one, long pastes are cut.
 * @param texts newest first
 * @returns an empty string where there is no message, or no room
 */
export function writeUserMessages({ texts, leftOut }: UserMessages, maxTokens: number): string {
  const room = maxTokens - estimateTextTokens(`${HEADINGS.userMessages}\n${LEGEND}\n\n${writeLeftOut(texts.length)}\n`)
  let shown: string[] = []
  const byWorth = answersFirst([...texts.entries()])
  for (const limit of LENGTHS) {
    shown = quoteThatFit(byWorth, limit, room)
    if (shown.length === texts.length) break
  }
  if (shown.length === 0) return ''
  const missing = leftOut + texts.length - shown.length
  const write = (legend: string): string =>
    [`${HEADINGS.userMessages}\n${legend}`, ...shown, ...(missing === 0 ? [] : [writeLeftOut(missing)])].join('\n\n')
  const noted = shown.length < MIN_WITH_NOTE ? '' : write(`${LEGEND}\n${NOTE}`)
  return noted !== '' && estimateTextTokens(noted) <= maxTokens ? noted : write(LEGEND)
}

/** How long messages may be: the longest is that of the newest request. */
const LENGTHS = [REQUEST_CHARACTERS, REQUEST_CHARACTERS / 2, REQUEST_CHARACTERS / 4] as const

/** So many of the newest messages come before older answers to questions. */
const NEWEST_MESSAGES = 8

type Placed = readonly [at: number, text: string]

/** Returns the newest ones of texts, then the older answers to questions, which decide longer than requests, then the others. */
function answersFirst(texts: readonly Placed[]): Placed[] {
  const older = texts.slice(NEWEST_MESSAGES)
  const isAnswer = ([, text]: Placed): boolean => text.startsWith(ANSWER_TO)
  return [...texts.slice(0, NEWEST_MESSAGES), ...older.filter(isAnswer), ...older.filter((one) => !isAnswer(one))]
}

/** Returns the quotes of the first texts that fit, newest first, each with at most about so many characters; the newest is whole. */
function quoteThatFit(texts: readonly Placed[], maxCharacters: number, maxTokens: number): string[] {
  const shown: Placed[] = []
  let left = maxTokens
  for (const [at, text] of texts) {
    const own = at === 0 ? cutRequest(text, maxTokens).text : cutPastes(text)
    // What is asked for may stand after what was quoted: both ends stay.
    const cut = truncateMiddle(own, at === 0 ? REQUEST_CHARACTERS : maxCharacters)
    const quoted = quoteMessage(cut === text ? text : closeMarks(cut))
    left -= estimateTextTokens(`${quoted}\n\n`)
    if (left < 0) break
    shown.push([at, quoted])
  }
  return shown.sort(([a], [b]) => a - b).map(([, quoted]) => quoted)
}

const writeLeftOut = (count: number): string => `(${count} older messages are left out.)`

/** Returns a text as it is read again from its quote. */
const asQuoted = (text: string): string =>
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
    return line.trim() !== '' && line.trim() !== LEGEND && line.trim() !== NOTE && count === undefined
  })
  close()
  return end < 0 ? [] : lines.slice(end)
}
