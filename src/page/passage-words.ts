import { describeUnknownTerms } from '../recall/unknown-terms.ts'
import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { RecallPassage } from '../schemas/recall.ts'
import { count, countedUnits } from '../text/numbers.ts'
import { rangesOf } from './find-passage.ts'
import type { FoundPassages } from './use-lookup.ts'

/** The names of the kinds of passages, in the order of their filters. */
export const PASSAGE_KINDS: Readonly<Record<RecallKind, readonly [one: string, many: string]>> = {
  request: ['Request', 'Requests'],
  answer: ['Answer', 'Answers'],
  edit: ['Edit', 'Edits'],
  failure: ['Failure', 'Failures'],
  commit: ['Commit', 'Commits'],
  call: ['Call', 'Calls'],
  output: ['Output', 'Outputs'],
  thinking: ['Thinking', 'Thinking'],
  summary: ['Summary', 'Summaries'],
}

/** Returns what a passage is: `Failure: bash`. */
export const namePassage = ({ kind, tool }: RecallPassage): string =>
  `${PASSAGE_KINDS[kind][0]}${tool === undefined ? '' : `: ${tool}`}`

/**
 * Returns the entry that a passage is shown in. What was found in an output, or is a part of one, is in the result of the call; a part of
 * an edit is in the call.
 */
export function entryOf({ entryIds, kind, lead, text }: RecallPassage, query: string): string {
  // A call and its output have a blank line between them.
  const isInOutput =
    lead === undefined
      ? /call|output|failure/.test(kind) && text.slice(0, rangesOf(text, query)[0]?.start ?? 0).includes('\n\n')
      : /output|failure/.test(kind)
  return (isInOutput ? entryIds.at(-1) : entryIds[0]) ?? ''
}

const TIMES = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Returns when a passage was said, and before which compaction; the page counts entries itself. */
export function describeWhen({ time, position }: RecallPassage): string {
  const [, ...rest] = position.split(', ')
  return [...(time === undefined ? [] : [TIMES.format(new Date(time))]), ...rest].join(', ')
}

/** Returns how many passages were found, and what was not. */
export function describeFound({
  matches,
  unknownTerms,
  nextOffset,
  searched: { note },
  byKind,
}: FoundPassages): string {
  const ofKinds = Object.values(byKind ?? {}).reduce((sum, one) => sum + one, 0)
  return [
    describeMatches(matches),
    ofKinds > matches.some && 'A call and its output are one here, and two below.',
    nextOffset !== undefined && 'The best are listed.',
    unknownTerms.length > 0 && describeUnknownTerms(unknownTerms, (term) => `“${term}”`),
    note,
  ]
    .filter(Boolean)
    .join(' ')
}

function describeMatches({ all, some }: FoundPassages['matches']): string {
  if (some === 0) return 'No message or call has it.'
  if (all === some) return `${countedUnits(all)} ${all === 1 ? 'has' : 'have'} it.`
  const whole =
    all === 0 ? 'No message or call has all words' : `${countedUnits(all)} ${all === 1 ? 'has' : 'have'} all words`
  return `${whole}, ${count(some - all)} only some.`
}
