import type { Candidate } from '../../config.ts'
import type { SummaryTask } from '../summarizer.ts'
import { askInOrder, type Answered } from './ask-in-order.ts'
import type { Asking } from './asking.ts'

export interface PartsQuestion {
  task: SummaryTask
  /** Stretches of the task's transcript, in order. */
  parts: readonly string[]
  /** Output limit of each. */
  maxTokens: number
  candidates: readonly Candidate[]
}

/**
 * Asks for the summaries of a transcript's parts, side by side. When one fails for good, those under way are let
 * finish, since a later request of the same may use them, and none is started.
 * @returns the answers in the parts' order; more than there are parts where one had to be cut again
 * @throws what the first part to fail threw
 */
export async function askParts(
  { task, parts, maxTokens, candidates }: PartsQuestion,
  asking: Asking,
): Promise<Answered[]> {
  const { division } = task
  if (division === undefined) throw new Error('A task without a division has no parts.')
  const askPart = async (conversation: string, index: number): Promise<Answered[]> => {
    const place = { isFirst: index === 0, isLast: index === parts.length - 1 }
    const part: SummaryTask = {
      ...task,
      maxTokens,
      prompt: division.part(conversation, place),
      division: { ...division, conversation },
    }
    return askInOrder(part, candidates, asking)
  }
  const settled = await Promise.allSettled(parts.map(askPart))
  // A deadline or a hang-up comes before what it made fail.
  asking.budget.signal.throwIfAborted()
  for (const result of settled)
    // Parts that were kept from starting threw the signal's reason: the one that failed says why.
    if (result.status === 'rejected' && result.reason !== asking.failed.signal.reason) throw result.reason
  return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
