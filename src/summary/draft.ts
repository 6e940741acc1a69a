import type { Draft } from '../model/summarizer.ts'
import type { Cooperative } from '../runtime/cooperative.ts'
import type { Expectations } from './checks/expectations.ts'
import { inspectSummary, type Findings } from './checks/inspect-summary.ts'
import { Problem } from '../errors.ts'
import { extractFileTags } from '../files/file-tags.ts'

/** A draft that was read and checked: what is wrong with its text is said in the findings. */
export interface CheckedDraft extends Draft {
  shortSummary?: string
  findings: Findings
  /** Repair calls made for it: at most one over all drafts of a reply. */
  repairs: number
}

/**
 * Reads a draft and compares its text with what is expected of it.
 * @throws Problem `model-failed` where a draft was nothing but tags
 */
export function* checkDraft(draft: Draft, expected: Expectations): Cooperative<CheckedDraft> {
  const { text, ...others } = readDraft(draft)
  return { ...draft, ...others, text, findings: yield* inspectSummary(text, expected), repairs: 0 }
}

/** Compares a draft's text, as it is, with what is expected of it: in the prompt form its tags are the client's own. */
export function* checkText(draft: Draft, expected: Expectations): Cooperative<CheckedDraft> {
  return { ...draft, findings: yield* inspectSummary(draft.text, expected), repairs: 0 }
}

/**
 * Reads a draft: the short summary apart, and without file tags, which a model may copy from what it read; the lists are
 * made by code, and stand once.
 * @throws Problem `model-failed` where nothing else was in it
 */
function readDraft({ text, model }: Draft): { text: string; shortSummary?: string } {
  const parts = extractShortSummary(text)
  const summary = extractFileTags(parts.text).text.trim()
  if (summary === '') throw new Problem('model-failed', `${model} answered with tags and no summary.`)
  return { ...parts, text: summary }
}
/** A model may forget the closing tag: then the short summary goes on to the text's end. */
const SHORT_SUMMARY = /<short-summary>([\s\S]*?)(?:<\/short-summary>|$)/i

/**
 * Takes the closing short-summary tag, which the prompt asks for, out of a draft.
 * @returns the text without it, and the short summary where there was one that is not blank
 */
export function extractShortSummary(draft: string): { text: string; shortSummary?: string } {
  const shortSummary = SHORT_SUMMARY.exec(draft)?.[1]?.replace(/\s+/g, ' ').trim()
  const text = draft.replace(SHORT_SUMMARY, '').trim()
  return shortSummary === undefined || shortSummary === '' ? { text } : { text, shortSummary }
}
