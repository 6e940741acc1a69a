import type { Candidate } from '../../config.ts'
import { retellTask, type SummaryTask } from '../summarizer.ts'
import { createPace } from '../../pace.ts'
import { Withdrawn } from '../sharing/share-work.ts'
import { askInOrder } from './ask-in-order.ts'
import type { Answered, Asking } from './asking.ts'

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
    const part = retellTask(task, {
      maxTokens,
      prompt: division.part(conversation, place),
      division: { ...division, conversation },
    })
    const answers = await askInOrder(part, candidates, asking)
    asking.budget.onProgress?.({ done: ++done, total: parts.length + 1, phase: 'summarize' })
    return answers
  }
  let done = 0
  const pace = createPace(asking.budget.signal)
  const asked: Promise<PromiseSettledResult<Answered[]>[]>[] = []
  for (const [index, part] of parts.entries()) {
    // Each prompt is as large as a window.
    await pace()
    asked.push(Promise.allSettled([askPart(part, index)]))
  }
  const settled = (await Promise.all(asked)).flat()
  // A deadline or a hang-up comes before what it made fail.
  asking.budget.signal.throwIfAborted()
  for (const result of settled)
    // Parts that were kept from starting are only withdrawn: the one that failed says why.
    if (result.status === 'rejected' && !(result.reason instanceof Withdrawn)) throw result.reason
  asking.failed.signal.throwIfAborted()
  return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
