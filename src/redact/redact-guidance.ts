import type { HistoryGuidance } from '../prompt/build-prompts.ts'
import type { Redaction } from './start-redaction.ts'

/** A caller's guidance without secrets: people paste them into a focus too. */
export function redactGuidance(guidance: HistoryGuidance, { text }: Redaction): HistoryGuidance {
  const { previousSummary, context, promptOverride, customInstructions, style } = guidance
  const redact = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value))
  return {
    previousSummary: redact(previousSummary),
    context: context?.map(text),
    promptOverride: redact(promptOverride),
    customInstructions: redact(customInstructions),
    style,
  }
}
