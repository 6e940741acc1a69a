import { describeUnknownTerms } from '../recall/unknown-terms.ts'
import type { RecallPassage, RecallReply } from '../schemas/recall.ts'
import { withoutControls } from '../text/controls.ts'
import { count, counted, countedUnits } from '../text/numbers.ts'
import type { Terminal } from './terminal.ts'

/**
 * Returns a passage as a reader of the command line sees it: a line that says what it is, and its text, indented. No line of a session
 * can look like the first one.
 */
export function writePassage(passage: RecallPassage, { paint }: Pick<Terminal, 'paint'>): string {
  const { entryIds, kind, tool, time, position, lead, text, cutBefore, cutAfter, outcome, copies } = passage
  const head = [tool === undefined ? kind : `${kind} (${tool})`, position, time?.replace(/\.\d+Z$/, 'Z')]
  const ids = `id ${entryIds.join(' ')}${copies === undefined ? '' : `, older copies: ${copies.join(' ')}`}`
  const lines = [
    ...(lead === undefined ? [] : [lead]),
    ...(cutBefore > BLANKS ? [`[${counted(cutBefore, 'character')} before]`] : []),
    text,
    ...(cutAfter > BLANKS ? [`[${counted(cutAfter, 'character')} after]`] : []),
    ...(outcome === undefined ? [] : ['', outcome]),
  ]
  const first = paint('bold', oneLine([...head.filter((part) => part !== undefined), ids].join(', ')))
  return `${first}\n${lines.map(indent).join('\n')}\n`
}

/** So few characters between two parts of a text are line ends. */
const BLANKS = 2

/** Ids and names of tools are texts of a session too. */
const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, ' ')

/** A separator of Unicode may end a line for a reader too. */
const indent = (text: string): string =>
  withoutControls(text)
    .split(/[\n\u2028\u2029]/)
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')

/** Returns how many messages and calls match, also those that are not shown. */
export function describeMatches({ passages, matches: { all, some, allByKind, someByKind } }: RecallReply): string {
  const shown = `${counted(passages.length, 'passage')} of `
  if (all === some) return `${shown}${countedUnits(all)}${describeKinds(allByKind)}.`
  if (all === 0)
    return `${shown}${countedUnits(some)} with some of the words, none with all${describeKinds(someByKind)}.`
  return `${shown}${countedUnits(some)}; ${count(all)} with all words${describeKinds(allByKind)}.`
}

function describeKinds(kinds: Readonly<Record<string, number>>): string {
  const parts = Object.entries(kinds).map(([kind, number]) => `${kind} ${count(number)}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** Returns what was not found of a query, as a sentence after another one; empty if all was. */
export const describeUnknown = ({ unknownTerms }: RecallReply): string =>
  unknownTerms.length === 0 ? '' : ` ${describeUnknownTerms(unknownTerms, JSON.stringify)}`
