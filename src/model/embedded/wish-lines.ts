import { isUnnamed } from '../../extract/unnamed-wishes.ts'
import type { WorkItem } from '../../extract/work-item.ts'
import { shorten, shortenToWord } from '../../text/shorten.ts'
import { quotable } from './quotes.ts'
import { writeItemState } from './turn-lines.ts'

/**
 * Wishes as they stand among the next steps. The line directly above a list is quoted before each of its items: what it forbids, or says
 * that somebody else does, would otherwise be an instruction. A sentence that may ask for nothing is a quote.
 */

const MAX_CHARACTERS = 160

/** A line above a list that was written whole before is named by both of its ends. */
const MAX_END_CHARACTERS = 30

/** Returns the words of wishes, with their states. */
export const writeWishes = (wishes: readonly WorkItem[]): string[] =>
  wishes.map((wish, at) => writeWish(wish, wishes[at - 1]))

function writeWish(wish: WorkItem, before: WorkItem | undefined): string {
  const { text, lead = '' } = wish
  const words = shorten(text, MAX_CHARACTERS)
  const name = lead === before?.lead && before.at === wish.at ? nameOf(lead) : lead
  if (isUnnamed(wish)) return `"${quotable(`${name} ${words}`.trim())}"${writeItemState(wish)}`
  return `${name === '' ? '' : `"${quotable(name)}": `}${words}${writeItemState(wish)}`
}

const nameOf = (lead: string): string =>
  lead.length <= 2 * MAX_END_CHARACTERS
    ? lead
    : `${shortenToWord(lead, MAX_END_CHARACTERS)} ${lead.slice(-MAX_END_CHARACTERS).replace(/^\S{0,20} /, '')}`
