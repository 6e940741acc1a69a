import { Problem } from '../errors.ts'
import { removeFileTags } from '../files/file-tags.ts'
import type { Draft } from '../model/summarizer.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import type { Expectations } from './checks/expectations.ts'
import { inspectSummary, type Findings } from './checks/inspect-summary.ts'
import { withoutCourse } from './course-list.ts'
import { closeSections } from './cut-summary.ts'
import { readEvidenceLines } from './evidence-section.ts'
import { noEvidence, type Evidence } from './evidence.ts'
import { withoutRecallNote } from './looking-up.ts'
import { readSummary, takeSections, type Summary } from './summary.ts'
import { noUserMessages, readUserMessageLines, type UserMessages } from './user-messages.ts'

/** A draft that was read and checked, in sections; the findings describe the faults of its text. */
export interface CheckedDraft extends Draft, Summary {
  shortSummary?: string
  findings: Findings
  /** The number of repair calls for it: at most one over all drafts of a reply. */
  repairs: number
}

/**
 * Reads a draft and compares its text with the expectations.
 * @throws Problem `model-failed` where a draft has nothing but tags
 */
export function checkDraft(draft: Draft, expected: Expectations): CheckedDraft {
  const read = readDraft(draft)
  return { ...draft, ...read, findings: inspectSummary(read, expected), repairs: 0 }
}

/** Compares a draft's unchanged text with the expectations: in the prompt form, its tags are the client's own. */
export function checkText(draft: Draft, expected: Expectations): CheckedDraft {
  const summary = readSummary(draft.text)
  return { ...draft, ...summary, findings: inspectSummary(summary, expected), repairs: 0 }
}

/**
 * Reads a draft: separates the short summary, and removes file tags, evidence and the user's messages, which a model may copy
 * from its input or make up. Code writes these sections, so that each occurs once.
 * @throws Problem `model-failed` where the draft has no other text
 */
function readDraft({ text, model }: Draft): Summary & { shortSummary?: string } {
  const parts = extractShortSummary(text)
  const { summary } = takeFacts(readSummary(removeFileTags(parts.text).trim()))
  if (summary.text.trim() === '') throw new Problem('model-failed', `${model} answered with tags and no summary.`)
  return { ...parts, ...summary }
}

/** A model may forget the closing tag: then the short summary extends to the end of the text. */
const SHORT_SUMMARY = /<short-summary>([\s\S]*?)(?:<\/short-summary>|$)/i

/**
 * Removes the closing short-summary tag, which the prompt asks for, from a draft.
 * @returns the text without it, and the short summary if it is present and not blank
 */
export function extractShortSummary(draft: string): { text: string; shortSummary?: string } {
  const shortSummary = SHORT_SUMMARY.exec(draft)?.[1]?.replace(/\s+/g, ' ').trim()
  const text = draft.replace(SHORT_SUMMARY, '').trim()
  return shortSummary === undefined || shortSummary === '' ? { text } : { text, shortSummary }
}

/** A summary without the sections that only code writes, and what they say. */
interface TakenFacts {
  summary: Summary
  evidence: Evidence
  userMessages: UserMessages
}

/**
 * Takes the sections of evidence and of the user's messages out of a summary, so that a model does not copy them wrongly.
 * Lines that code did not write stay in the summary. The section about looking things up is removed: it is written anew.
 * What follows the summary is outside of its fences and quotations.
 */
export function takeFacts(summary: Summary): TakenFacts {
  const [evidence, userMessages] = [noEvidence(), noUserMessages()]
  const readers = new Map([
    [HEADINGS.evidence, (lines: readonly string[]) => readEvidenceLines(withoutCourse(lines), evidence)],
    [HEADINGS.userMessages, (lines: readonly string[]) => readUserMessageLines(lines, userMessages)],
  ])
  return { summary: closeSections(withoutRecallNote(takeSections(summary, readers))), evidence, userMessages }
}
