import { issueOf } from '../../extract/same-words.ts'
import { isListed, type WorkItem } from '../../extract/work-item.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { changeHead } from './ranked-lines.ts'

/** All of a shorter request is on its line. */
const MIN_CHARACTERS = 80

const MAX_CHARACTERS = 180
const MAX_PART_CHARACTERS = 80

/** What is said of a request of which some parts are done. */
const LABEL = 'still open of it'

/** The same at the end of a line. */
const OPEN_PARTS = / \(still open of it[^()]{1,300}\)$/

/**
 * Returns what is still open of the newest request, as the end of its line, where the list that was made for it has parts that are done: its
 * first words may name these. The next steps name the open wishes of others. The issues of a tracker are no parts of a request.
 */
export function writeOpenParts(items: readonly WorkItem[], request: WorkItem | undefined): string {
  if (request?.state !== 'open' || request.text.length < MIN_CHARACTERS) return ''
  const isOther = ({ kind, at }: WorkItem): boolean =>
    (kind === 'request' && at > request.at) || (kind === 'wish' && at === request.at)
  const listed = items.filter((item) => isListed(item) && item.at > request.at && issueOf(item.id ?? '') === undefined)
  if (items.some(isOther) || !listed.some(({ state }) => state === 'done')) return ''
  const texts = listed.filter(({ state }) => state === 'open').map(({ text }) => nameOf(text))
  const chosen = texts.filter((_, at) => texts.slice(0, at + 1).join('; ').length <= MAX_CHARACTERS)
  const more = texts.length > chosen.length ? `; and ${texts.length - chosen.length} more` : ''
  const [{ source = 'its list' } = {}] = listed
  return chosen.length === 0 ? '' : ` (${LABEL} by ${nameOf(source)}: ${chosen.join('; ')}${more})`
}

/** The note ends at the first parenthesis. */
const nameOf = (text: string): string => shorten(oneLine(text.replace(/[()]/g, ' ')), MAX_PART_CHARACTERS)

/** Returns a line of an earlier summary without what was open of its request then. */
export const withoutOpenParts = (statement: string): string =>
  changeHead(statement, (head) => head.replace(OPEN_PARTS, ''))
