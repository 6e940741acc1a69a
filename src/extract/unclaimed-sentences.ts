import { readClaimedParts } from './claimed-parts.ts'
import { isOrder } from './deferred.ts'
import { sentencesOf, type AnswerClaims } from './done-claims.ts'
import { withoutPasted } from './pasted.ts'
import { findSentences } from './statements.ts'
import { quoteInState, type WorkCommit } from './work-item.ts'
import { isLastingDemand } from './words.ts'
import { NO_REQUEST } from './work-claims.ts'
import { isUnwanted, splitWishes } from './wishes.ts'

/** The beginning of the note of a request of which the answer claims only a part. */
export const UNCLAIMED = 'not explicitly said to be done: '
const MAX_UNCLAIMED = 2

/** Returns the note with what an answer does not claim. */
export const noteUnclaimed = (texts: readonly string[]): string =>
  texts
    .slice(0, MAX_UNCLAIMED)
    .map((text) => UNCLAIMED + quoteInState(text))
    .join('; ')

type Answer = AnswerClaims & { text: string }

/** Shorter sentences are remarks: `tests look good`. */
const MIN_WORDS = 3

/** Longer requests explain more than they ask for. */
const MAX_REQUEST_CHARACTERS = 800

/**
 * Returns the sentences of a request that seem to ask for something which its answer does not claim, where the request has no list of
 * wishes. Few verbs are known, so nothing is open because of them: they are quoted.
 */
export function unclaimedSentences(request: string, answer: Answer, committed: readonly WorkCommit[]): string[] {
  if (request.length > MAX_REQUEST_CHARACTERS || splitWishes(request).length > 1) return []
  const orders = findSentences(withoutPasted(request)).filter(isWish)
  if (orders.length < 2) return []
  return readClaimedParts(orders, withoutBareClaims(answer), committed).flatMap(({ text, said }) =>
    said === 'nothing' ? [text] : [],
  )
}

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{6}/u

/** The longest claim that says of nothing what is done: `All done.` */
const MAX_BARE_CHARACTERS = 12

/** Returns an answer without its bare claims, if it has others: `Done. I fixed the import.` */
function withoutBareClaims(answer: Answer): Answer {
  const claims = answer.claims.filter(({ text }) => text.length > MAX_BARE_CHARACTERS)
  if (claims.length === 0) return answer
  const text = sentencesOf(answer.text).filter(({ length }) => length > MAX_BARE_CHARACTERS)
  return { ...answer, claims, text: text.join('\n') }
}

/** What follows these words says when, or why. */
const CLAUSE =
  / (?:when|once|as soon as|until|why|how|if|that|which|because|since|wenn|sobald|bis|warum|dass|weil|quand|dès|que|cuando)(?![\p{L}])/iu

const isWish = (sentence: string): boolean =>
  !NO_REQUEST.test((sentence.split(CLAUSE, 1)[0] ?? '').replace(/^\S+ /, '')) &&
  (sentence.split(/\s+/).length >= MIN_WORDS || WITHOUT_SPACES.test(sentence)) &&
  isOrder(sentence.split(/[,;:]\s/, 1)[0] ?? '') &&
  !isUnwanted(sentence) &&
  !isLastingDemand(sentence)
