import type { CompactionPlan, MessageEntry } from '../plan/plan-compaction.ts'
import { redactFiles, type Redaction } from '../redact/redaction.ts'
import type { Cooperative } from '../runtime/cooperative.ts'
import type { HistoryGuidance } from './build-prompts.ts'

/** Returns a plan with the secrets replaced in all that a model or a client will read. Kept messages stay unchanged. */
export function* redactPlan(plan: CompactionPlan, redaction: Redaction): Cooperative<CompactionPlan> {
  const { previousSummary } = plan
  return {
    ...plan,
    history: yield* redactEntries(plan.history, redaction),
    turnPrefix: yield* redactEntries(plan.turnPrefix, redaction),
    files: redactFiles(plan.files, redaction),
    ...(previousSummary === undefined ? {} : { previousSummary: redaction.text(previousSummary) }),
  }
}

function* redactEntries(entries: MessageEntry[], redaction: Redaction): Cooperative<MessageEntry[]> {
  const messages = yield* redaction.cooperatively(entries.map(({ message }) => message))
  return entries.map((entry, index) => {
    const message = messages[index]
    return message === undefined || message === entry.message ? entry : { ...entry, message }
  })
}

/** Returns a caller's guidance with secrets replaced: users paste them into a focus too. */
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
