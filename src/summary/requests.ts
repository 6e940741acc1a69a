import {
  asksForNothing,
  isSmallTalk,
  MAX_QUESTION_CHARACTERS,
  readUserAnswers,
  readUserText,
} from '../extract/user-text.ts'
import { isGoOn } from '../extract/go-on.ts'
import { textOf, type Message } from '../session/message.ts'
import { beginning } from '../text/shorten.ts'
import { GOAL_LABELS, HEADINGS } from '../text/summary-headings.ts'
import { linesInSection, type Summary } from './summary.ts'

/**
 * Returns the newest request of the user, word for word. If the newest message only says to go on, an answer to a question of the
 * agent that is newer is the request, or else the request before it: it says what to go on with.
 * @param earlier the newest request before these messages
 */
export function findLatestRequest(messages: readonly Message[], earlier?: string): string | undefined {
  let answer: string | undefined
  let goOn: string | undefined
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    const text = message === undefined ? undefined : readUserText(message)
    if (text !== undefined && !(isGoOn(text) && answer === undefined)) return requestOr(answer, text)
    goOn ??= text
    if (message !== undefined && goOn === undefined)
      answer ??= readUserAnswers(message).findLast((one) => !isSmallTalk(one.answer))?.answer
  }
  return requestOr(answer, earlier ?? goOn)
}

const requestOr = (answer: string | undefined, request: string | undefined): string | undefined =>
  request === undefined || asksForNothing(request) ? (answer ?? request) : request

/**
 * Returns the unanswered question: the agent's last text ends with it, and no message of the user follows. It is the
 * last paragraph, word for word, up to 500 characters from its beginning.
 */
export function findOpenQuestion(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.role === 'user' || (message !== undefined && readUserAnswers(message).length > 0)) return undefined
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
  if (paragraph.length <= MAX_QUESTION_CHARACTERS) return paragraph
  const sentence =
    /(?<![^.!?。！？\n])[^.!?。！？\n]*[?？؟][\s*_)"'”」]*$/.exec(paragraph.slice(-MAX_QUESTION_CHARACTERS))?.[0] ??
    paragraph
  return beginning(sentence, MAX_QUESTION_CHARACTERS)
}

/** Whether a summary has a text word for word. White space, and quote marks at the start of lines, do not count. */
export const isWordForWord = (summary: string, text: string): boolean => wordForWordIn(summary)(text)

/** Returns a function with the same answer for many texts: it prepares the summary once. */
export function wordForWordIn(summary: string): (text: string) => boolean {
  const whole = plain(summary)
  return (text) => whole.includes(plain(text))
}

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replace(/^[ \t]*>[ \t]?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The label of a request that code has added to a summary. */
export const REQUEST_LABEL = 'The newest request, word for word:'

/** The line that ends the request below a label: another label. */
const LABELS = new Set<string>([...Object.values(GOAL_LABELS), REQUEST_LABEL])

/**
 * Returns the newest request of a summary by this service, word for word: it is the current one until the user asks for
 * something else. @returns undefined for other summaries
 */
export function readEarlierRequest(summary: Summary): string | undefined {
  for (const heading of [HEADINGS.goal, HEADINGS.context]) {
    const lines = linesInSection(summary, heading)
    const at = lines.findLastIndex((line) => line === GOAL_LABELS.newest || line === REQUEST_LABEL)
    const request = at < 0 ? '' : readRequestBelow(lines, at)
    if (request !== '') return request
  }
  return undefined
}

/** The labels of the newest request. Demands of an earlier one are among the constraints. */
const QUOTED = new Set<string>([GOAL_LABELS.newest, REQUEST_LABEL])

/** Returns the newest request of the user that the goal of a summary by this service quotes, as far as it is in it. */
export function readQuotedRequests(summary: Summary): string[] {
  const lines = linesInSection(summary, HEADINGS.goal)
  return lines.flatMap((line, at) => (QUOTED.has(line) ? [readRequestBelow(lines, at)].filter(Boolean) : []))
}

function readRequestBelow(lines: readonly string[], at: number): string {
  const end = lines.findIndex((line, index) => index > at && LABELS.has(line))
  return unquote(lines.slice(at + 1, end < 0 ? undefined : end), lines[at] === REQUEST_LABEL)
}

/** Returns a request without the marks of a block quote. Below the label of code, the quote ends with its marks. */
function unquote(below: readonly string[], isQuoted: boolean): string {
  const first = below.findIndex((line) => line.trim() !== '')
  const lines = below.slice(Math.max(0, first))
  if (lines[0]?.startsWith('>') !== true) return isQuoted ? '' : lines.join('\n').trim()
  const end = lines.findIndex((line) => !line.startsWith('>'))
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')
    .trim()
}
