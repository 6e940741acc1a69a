import { isNamed, subjectOf, type ClaimedPart } from './claimed-parts.ts'
import { GO_ON_WORDS } from './go-on.ts'
import { plainWords } from './same-words.ts'
import { isReplacing } from './verdict-words.ts'
import type { WorkTurn } from './work-turns.ts'

/** What the next request of a user says of the one before it: it replaces a part of it, or says it once more. */

/** Returns the parts of a request that the next one replaces, where it names only some of them. */
export function replacedParts(parts: readonly ClaimedPart[], next: WorkTurn | undefined): readonly string[] {
  if (next === undefined || !isReplacing(next.request, next.unwanted[0])) return []
  const words = subjectOf(next.request)
  const named = parts.filter(({ text }) => isNamed(subjectOf(text), words)).map(({ text }) => text)
  return named.length < parts.length ? named : []
}

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

/** What a user means who begins with such words: what he has just said. A word of order says that it comes later. */
const IN_OTHER_WORDS =
  /^(?:so|i mean(?:t)?|that is|meaning|d\.h\.|das heißt|ich mein(?:t?e)?|je veux dire|c['’]est-à-dire|donc|o sea|quiero decir)[,:]? (?!.*(?:then|before|later|dann|vorher|später|ensuite|avant|plus tard|luego|antes))/iu

/** Whether a message goes on with what the one before it has asked for, by its words or by others. */
export function isAboutSame(text: string, before: string): boolean {
  const words = subjectOf(before)
  const [, thing = ''] = GO_ON_WITH.exec(text) ?? []
  const own = subjectOf(thing === '' ? text : thing)
  const shared = [...own].filter((word) => words.has(word)).length
  return thing === '' ? IN_OTHER_WORDS.test(text) && shared >= MIN_SHARED : own.size > 0 && shared === own.size
}

const MIN_SHARED = 2
