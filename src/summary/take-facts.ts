import { HEADINGS } from '../text/summary-headings.ts'
import { withoutCourse } from './course-list.ts'
import { readEvidenceLines } from './evidence-section.ts'
import { noEvidence, type Evidence } from './evidence.ts'
import { withoutRecallNote } from './looking-up.ts'
import { takeSections, type Summary } from './summary.ts'
import { noUserMessages, readUserMessageLines, type UserMessages } from './user-messages.ts'

/** A summary without the sections that only code writes, and what they say. */
interface TakenFacts {
  summary: Summary
  evidence: Evidence
  userMessages: UserMessages
}

/**
 * Takes the sections of evidence and of the user's messages out of a summary, so that a model does not copy them wrongly.
 * Lines that code did not write stay in the summary. The section about looking things up is removed: it is written anew.
 */
export function takeFacts(summary: Summary): TakenFacts {
  const [evidence, userMessages] = [noEvidence(), noUserMessages()]
  const readers = new Map([
    [HEADINGS.evidence, (lines: readonly string[]) => readEvidenceLines(withoutCourse(lines), evidence)],
    [HEADINGS.userMessages, (lines: readonly string[]) => readUserMessageLines(lines, userMessages)],
  ])
  return { summary: withoutRecallNote(takeSections(summary, readers)), evidence, userMessages }
}
