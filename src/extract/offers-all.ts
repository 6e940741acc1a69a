import { subjectOf } from './claimed-parts.ts'
import { leftClauses, sentencesOf } from './done-claims.ts'
import { stemsOf } from './same-words.ts'

/** Words of an offer that name nothing: it is about all that was asked for. */
const STARTING = stemsOf(
  'start begin go ahead proceed continue it this that with all everything now right away so ich das es damit anfangen loslegen',
)

/** Whether an answer ends with an offer to begin with what was asked for. */
export function offersAll(answer: string): boolean {
  const [last = ''] = sentencesOf(answer).slice(-1)
  const [offer] = leftClauses(last)
  return offer !== undefined && /[?？]$/.test(last) && [...subjectOf(offer.words)].every((word) => STARTING.has(word))
}
