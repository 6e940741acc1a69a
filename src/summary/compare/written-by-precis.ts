import { HEADINGS } from '../../text/summary-headings.ts'

/** The headings that only code of this service writes: a model may write all others. */
const OWN_HEADINGS: ReadonlySet<string> = new Set([HEADINGS.userMessages, HEADINGS.evidence, HEADINGS.lookingUp])

/** Returns whether this service has written a summary. */
export const isWrittenByPrecis = (summary: string): boolean =>
  summary.split('\n').some((line) => OWN_HEADINGS.has(line.trimEnd()))
