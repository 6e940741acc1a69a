import type { Candidate } from '../../config.ts'
import { Problem } from '../../errors.ts'
import { joinSummaries } from '../../prompt/divide-prompt.ts'
import { retellTask, type Draft, type SummaryTask } from '../summarizer.ts'
import { askInOrder } from './ask-in-order.ts'
import type { Answered, Asking } from './asking.ts'

/**
 * Writes one summary, of parts where the transcript is larger than a window: they are summarized side by side and
 * merged by one more call; where too many for that, neighbours are merged first, level by level.
 * @throws Problem, or the budget's signal's reason, as `askInOrder` does
 */
export async function summarizeInWindows(
  task: SummaryTask,
  candidates: readonly Candidate[],
  asking: Asking,
): Promise<Draft> {
  let answers = await askInOrder(task, candidates, asking)
  let { prompt } = task
  const windows = answers.length
  while (answers.length > 1) {
    asking.budget.onProgress?.({ done: windows, total: windows + 1, phase: 'merge' })
    const merge = mergeTask(task, answers)
    prompt = merge.prompt
    const merged = await askInOrder(merge, candidates, asking)
    if (merged.length >= answers.length)
      throw new Problem(
        'prompt-too-large',
        'What is told around the conversation leaves too little of the window to it.',
      )
    answers = merged
  }
  const [answer] = answers
  if (answer === undefined) throw new Error('A task has at least one part.')
  return { ...answer, ...asking.tally, windows, prompt }
}

/** The summaries stand for the transcript, and where they are too many themselves they are cut as it was. */
function mergeTask(task: SummaryTask, answers: readonly Answered[]): SummaryTask {
  const { division } = task
  if (division === undefined) throw new Error('A task without a division has no parts.')
  const conversation = joinSummaries(answers.map(({ text }) => text))
  const { merge } = division
  const prompt = merge(conversation)
  return retellTask(task, { prompt, division: { conversation, unit: 'text', part: merge, merge } })
}
