import { isNamed, subjectOf } from './claimed-parts.ts'
import { AGENT_NOTE, NOTES } from './turn-end.ts'
import type { WorkItem } from './work-item.ts'

/** Work that is left after its turn. */

/** Of the newest requests, those that are open are next steps as a whole. */
export const NEWEST_REQUESTS = 4

/** A shorter request of long ago, such as a command of a client, is not worth a line. */
export const MIN_OLD_REQUEST_CHARACTERS = 24

/** Whether the agent says that a wish is not done, and not its whole request. */
export const isLeftWish = ({ kind, state, note }: WorkItem): boolean =>
  kind === 'wish' && state === 'open' && note !== undefined

/** Whether a request was cut off. */
export const isCutOff = ({ note = '' }: WorkItem): boolean => note === NOTES.interrupted || note === NOTES.failed

/** Whether a later request, which is not left itself, is about the same thing as an item. */
export function isAskedAgain({ text, at }: WorkItem, requests: readonly WorkItem[]): boolean {
  const words = subjectOf(text)
  const isAgain = (request: WorkItem): boolean =>
    request.at > at &&
    !isCutOff(request) &&
    !AGENT_NOTE.test(request.note ?? '') &&
    isNamed(words, subjectOf(request.text))
  return requests.some(isAgain)
}
