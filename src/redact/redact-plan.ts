import type { CompactionPlan, MessageEntry } from '../plan/plan-compaction.ts'
import type { Steps } from '../steps.ts'
import type { Redaction } from './start-redaction.ts'
import type { FileLists } from '../session/entry.ts'

/** A plan in which all that a model or a client will read is without secrets. What is kept is not touched. */
export function* redactPlan(plan: CompactionPlan, redaction: Redaction): Steps<CompactionPlan> {
  const { previousSummary } = plan
  return {
    ...plan,
    history: yield* redactEntries(plan.history, redaction),
    turnPrefix: yield* redactEntries(plan.turnPrefix, redaction),
    files: redactFiles(plan.files, redaction),
    ...(previousSummary === undefined ? {} : { previousSummary: redaction.text(previousSummary) }),
  }
}

function* redactEntries(entries: MessageEntry[], redaction: Redaction): Steps<MessageEntry[]> {
  const messages = yield* redaction.inSteps(entries.map(({ message }) => message))
  return entries.map((entry, index) => {
    const message = messages[index]
    return message === undefined || message === entry.message ? entry : { ...entry, message }
  })
}

export const redactFiles = ({ readFiles, modifiedFiles }: FileLists, { text }: Redaction): FileLists => ({
  readFiles: readFiles.map(text),
  modifiedFiles: modifiedFiles.map(text),
})
