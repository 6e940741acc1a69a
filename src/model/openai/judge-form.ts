import type { SummaryTask } from '../../prompt/task.ts'
import { headingName, parseSections } from '../../text/sections.ts'
import { HEADINGS, saysNothing } from '../../text/summary-headings.ts'
import { hasVisibleWords } from '../../text/visible-words.ts'

/**
 * The least size of an answer without the sections: this share of the transcript, up to this many bytes (some 500 tokens). Longer
 * prose may be a good summary, and is repaired. Our prompts ask for 1,000 tokens and 5 %; real answers had 4 % at least.
 */
const LEAST_SHARE = 0.02
const MOST_LEAST_BYTES = 2000

/** The names of our sections. Those of the beginning of a turn differ from those of a session, and models mix them up. */
const SECTION_NAMES = new Set(Object.values(HEADINGS).map(headingName))

/**
 * Returns whether the answer to a prompt that asks for sections is no summary of its transcript: it has none of them and is far
 * too short, such as "hi" or a line of status; or they are all empty.
 */
export function isNoSummary(
  text: string,
  { asksForSections = false, chunking }: Pick<SummaryTask, 'asksForSections' | 'chunking'>,
): boolean {
  if (!asksForSections || chunking === undefined || Buffer.byteLength(text) >= MOST_LEAST_BYTES) return false
  const sections = parseSections(text)
  if (!sections.some(({ heading }) => heading !== undefined && SECTION_NAMES.has(heading.name)))
    return Buffer.byteLength(text) < (chunking.end - chunking.start) * LEAST_SHARE
  return !sections.some(({ lines }) => lines.some((line) => hasVisibleWords(line) && !saysNothing(line)))
}
