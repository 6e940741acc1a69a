import type { Spans } from '../../model/summarize-spans.ts'
import type { SummaryTask } from '../../model/summarizer.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import { REQUIRED_SECTIONS } from '../../prompt/required-sections.ts'
import type { Steps } from '../../steps.ts'
import type { CheckedTask } from '../check-draft.ts'
import type { Expectations } from './expectations.ts'
import { expectOfSpan } from './expect-of-span.ts'

/** A focus may ask for a language of its own. */
const NAMES_LANGUAGE =
  /\b(?:language|english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|turkish|arabic|auf deutsch|en français|en español)\b|英文|英语|中文|日本語|한국어/i

/** What is expected of the summaries that tasks ask for. */
export function* expectOfTasks(
  { history, turnPrefix }: Spans<SummaryTask>,
  guidance: HistoryGuidance,
): Steps<Spans<CheckedTask>> {
  const spans: Spans<CheckedTask> = {}
  if (history !== undefined) spans.history = { task: history, expected: yield* expectOfTask(history, guidance) }
  if (turnPrefix !== undefined) spans.turnPrefix = { task: turnPrefix, expected: yield* expectOfTask(turnPrefix, {}) }
  return spans
}

/** What is expected of one summary; a caller's own prompt sets its own form and language. */
export function expectOfTask({ kind, maxTokens, source }: SummaryTask, guidance: HistoryGuidance): Steps<Expectations> {
  const { previousSummary, context = [], promptOverride = '', customInstructions = '' } = guidance
  const isOverridden = promptOverride.trim() !== ''
  return expectOfSpan({
    messages: source.form === 'messages' ? source.messages : [],
    headings: isOverridden ? [] : REQUIRED_SECTIONS[kind],
    limitTokens: maxTokens,
    previousSummary,
    furtherTexts: [...context, promptOverride, customInstructions],
    checksLanguage: !isOverridden && !NAMES_LANGUAGE.test(customInstructions),
  })
}
