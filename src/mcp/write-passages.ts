import type { RecallPassage, RecallReply } from '../schemas/recall.ts'
import { PASSAGE_NAMES } from './tools.ts'
import { MAX_ANSWER_CHARACTERS, quoteInLine, quoteLines, quoteName } from './quote.ts'

/** What is written of a reply. */
interface Shown {
  /** What stands before the passages. */
  head: string
  /** How many passages were skipped, and how many are wanted. */
  offset: number
  limit: number
}

type Passages = Pick<RecallReply, 'passages' | 'nextOffset'>

/** Room for the last line. */
const END_CHARACTERS = 200

/** Returns the passages of a reply as text: as many as fit, and where the others begin. */
export function writePassages({ passages, nextOffset }: Passages, { head, offset, limit }: Shown): string {
  const blocks: string[] = []
  let room = MAX_ANSWER_CHARACTERS - END_CHARACTERS - head.length
  for (const passage of passages.slice(0, limit)) {
    const block = writePassage(passage, offset + blocks.length + 1)
    room -= block.length + 2
    if (room < 0 && blocks.length > 0) break
    blocks.push(block)
  }
  const hasMore = blocks.length < passages.length || nextOffset !== undefined
  const end = hasMore ? `There are more passages: call again with "offset": ${offset + blocks.length}.` : ''
  return [head, ...blocks, end].filter(Boolean).join('\n\n')
}

/** More older copies than a reader looks up. */
const MAX_COPIES = 3

function writePassage(passage: RecallPassage, number: number): string {
  const { entryIds, position, time, lead = '', text, cutBefore, cutAfter, copies = [] } = passage
  const ids = `${entryIds.length === 1 ? 'entry' : 'entries'} ${entryIds.map(quoteName).join(' and ')}`
  const head = [`[${number}] ${nameOf(passage)}`, ids, position, time ?? ''].filter(Boolean).join(' · ')
  const cut = [
    cutBefore > 0 ? `${cutBefore} characters stand before` : '',
    cutAfter > 0 ? `${cutAfter} characters follow` : '',
    copies.length > 0
      ? `nearly the same in older entries: ${copies.slice(0, MAX_COPIES).map(quoteName).join(', ')}`
      : '',
  ]
  const notes = cut.filter(Boolean).join('; ')
  return [head, quoteLines(lead === '' ? text : `${lead}\n${text}`), notes === '' ? '' : `(${notes})`]
    .filter(Boolean)
    .join('\n')
}

/** Returns who said a passage, or what a tool did: only words of the user are called so. */
function nameOf({ kind, kinds, tool }: RecallPassage): string {
  const name = [...new Set([kind, ...kinds])].map((one) => PASSAGE_NAMES[one]).join(', ')
  return tool === undefined ? name : `${name} of the tool ${quoteName(tool)}`
}

/** Returns what a look-up has found, in numbers. */
export function writeCounts({ matches, unknownTerms, scope, searched }: RecallReply, hasQuery: boolean): string {
  const where = scope === 'all' ? 'of the whole session' : 'that a summary has replaced'
  const lines = [`Searched: ${searched.entries} entries ${where}.`]
  if (searched.note !== undefined) lines.push(searched.note)
  const { all, some, allByKind, someByKind } = matches
  if (!hasQuery) lines.push(`Found: ${countOf(all, allByKind)}.`)
  else {
    lines.push(`With all words: ${countOf(all, allByKind)}.`)
    if (some > all) lines.push(`With some of them: ${countOf(some, someByKind)}.`)
  }
  if (unknownTerms.length > 0)
    lines.push(`Nowhere in them: ${unknownTerms.map((term) => quoteInLine(term, 100)).join(', ')}.`)
  return lines.join(' ')
}

function countOf(count: number, byKind: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(byKind).sort(([, one], [, other]) => other - one)
  const detail = kinds.map(([kind, number]) => `${kind} ${number}`).join(', ')
  return `${count} ${count === 1 ? 'passage' : 'passages'}${detail === '' ? '' : ` (${detail})`}`
}
