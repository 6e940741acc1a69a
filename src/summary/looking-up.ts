import { count } from '../text/numbers.ts'
import { headingName } from '../text/sections.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { trimmedSummary, type Summary } from './summary.ts'

/** Which part of a session a summary replaces. */
export interface ReplacedPart {
  /** The id by which its agent finds the session. */
  session?: string
  /** The number of entries before the first one that stays. */
  entries: number
  /** Whether the first of them is a summary: the session began before it. */
  hasEarlier: boolean
  /** When the first and the last of them were written, in milliseconds since the epoch. */
  fromMs?: number
  toMs?: number
}

/** The note of a summary on how to look up what it replaces. */
export interface RecallNote {
  /** How the agent can do it: a line of the request. */
  how: string
  /** Absent for a transcript, which has no entries. */
  replaced?: ReplacedPart | undefined
}

/** Returns the section that says what a summary replaces, and how to look that up. */
export const writeRecallNote = ({ how, replaced }: RecallNote): string =>
  [HEADINGS.lookingUp, `Replaced: ${describe(replaced, how)}. ${promise(replaced)}:`, how].join('\n')

/** Whether what an earlier summary replaced can be looked up depends on where that was made: only the entries are promised. */
const promise = (replaced: ReplacedPart | undefined): string =>
  replaced?.hasEarlier === true ? 'These entries are not lost' : 'Nothing of it is lost'

function describe(replaced: ReplacedPart | undefined, how: string): string {
  if (replaced === undefined) return 'the conversation before this point'
  const { session, entries, hasEarlier, fromMs, toMs } = replaced
  const first = hasEarlier ? 2 : 1
  const range = `entr${first === entries ? 'y' : 'ies'} ${first === entries ? '' : `${first} to `}${count(entries)}`
  const earlier = hasEarlier ? ', after the summary in entry 1' : ''
  // A session that the line names already is not named twice.
  const of = session === undefined || how.includes(session) ? 'the session' : `session ${session}`
  const times = [fromMs, toMs].flatMap((ms) => (ms === undefined ? [] : writeTime(ms)))
  return `${range} of ${of}${times.length === 0 ? '' : `, written ${[...new Set(times)].join(' to ')}`}${earlier}`
}

const writeTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

const NAME = headingName(HEADINGS.lookingUp)

/** Returns a summary without the sections about looking things up: they are about an earlier compaction, or a model made them up. */
export function withoutRecallNote(summary: Summary): Summary {
  const sections = summary.sections.filter(({ heading }) => heading?.name !== NAME)
  return sections.length === summary.sections.length ? summary : trimmedSummary(sections)
}
