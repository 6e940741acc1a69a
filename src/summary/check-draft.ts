import type { Draft, SummaryTask } from '../model/summarizer.ts'
import type { Steps } from '../steps.ts'
import type { Expectations } from './checks/expectations.ts'
import { inspectSummary, type Findings } from './checks/inspect-summary.ts'
import { readDraft } from './read-draft.ts'

/** A text to be written, and what it is held against. */
export interface CheckedTask {
  task: SummaryTask
  expected: Expectations
}

/** A draft that was read and checked: what is wrong with its text is said in the findings. */
export interface CheckedDraft extends Draft {
  shortSummary?: string
  findings: Findings
  /** Repair calls made for it: at most one over all drafts of a reply. */
  repairs: number
}

/**
 * Reads a draft and holds its text against what is expected of it.
 * @throws Problem `model-failed` where a draft was nothing but tags
 */
export function* checkDraft(draft: Draft, expected: Expectations): Steps<CheckedDraft> {
  const { text, ...others } = readDraft(draft)
  return { ...draft, ...others, text, findings: yield* inspectSummary(text, expected), repairs: 0 }
}

/** Holds a draft's text as it is against what is expected of it: in the prompt form its tags are the client's own. */
export function* checkText(draft: Draft, expected: Expectations): Steps<CheckedDraft> {
  return { ...draft, findings: yield* inspectSummary(draft.text, expected), repairs: 0 }
}
