import type { Summarizer, SummaryTask } from '../model/summarizer.ts'
import type { Steps } from '../steps.ts'
import { fitWindow, promptTokensOf } from './fit-window.ts'

/**
 * Measures what will be sent to a summarizer.
 * @returns the parts that the tasks are told in, merges not counted, and the tokens of their prompts told whole
 */
export function* measureTasks(
  tasks: readonly SummaryTask[],
  summarizer: Pick<Summarizer, 'name' | 'windowTokens'>,
): Steps<{ windows: number; promptTokens: number }> {
  const promptTokens = tasks.reduce((sum, task) => sum + promptTokensOf(task), 0)
  // The embedded summarizer has no window.
  if (summarizer.name === 'embedded') return { windows: 1, promptTokens }
  const windowTokens = summarizer.windowTokens()
  let windows = 0
  for (const task of tasks) windows += yield* countWindows(task, windowTokens)
  return { windows, promptTokens }
}

function* countWindows(task: SummaryTask, windowTokens: number): Steps<number> {
  const fit = yield* fitWindow(task, windowTokens)
  return fit.kind === 'parts' ? fit.parts.length : 1
}
