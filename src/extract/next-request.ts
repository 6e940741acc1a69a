import { subjectOf } from './claimed-parts.ts'
import { GO_ON_WORDS } from './go-on.ts'
import { areAllIn, plainWords } from './same-words.ts'

/** Whether the next request of a user says the one before it once more, or goes on with it. */

/** Whether a user says a request once more: the words of one begin those of the other. */
export function isSaidAgain(request: string, before: string): boolean {
  const [short = '', long = ''] = [request, before].map(plainWords).sort((a, b) => a.length - b.length)
  return short.length >= MIN_SAID_AGAIN && long.startsWith(short)
}

/** Shorter requests, such as "run the tests", are often said twice. */
const MIN_SAID_AGAIN = 40

/** Words to go on with a thing. */
const GO_ON_WITH = new RegExp(
  String.raw`^(?:(?:please|ok(?:ay)?|yes|ja|oui|sí)[,.!]? )?(?:${GO_ON_WORDS}) (?:with|mit|avec|con) (.{1,60}?)[\s.!]*$`,
  'iu',
)

/** Whether a message only goes on with what the one before it has asked for, by all its words and no others: `continue with ...`. */
export function isAboutSame(text: string, before: string): boolean {
  const [words, own] = [subjectOf(before), subjectOf(GO_ON_WITH.exec(text)?.[1] ?? '')]
  return own.size > 0 && own.size === words.size && areAllIn(own, words)
}
