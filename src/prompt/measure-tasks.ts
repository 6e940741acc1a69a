import type { Summarizer, SummaryTask } from '../model/summarizer.ts'
import { fitWindow, promptTokensOf } from './fit-window.ts'

/**
 * Measures what will be sent to a summarizer.
 * @returns the parts that the tasks are told in, merges not counted, and the tokens of their prompts told whole
 */
export function measureTasks(
  tasks: readonly SummaryTask[],
  summarizer: Pick<Summarizer, 'name' | 'windowTokens'>,
): { windows: number; promptTokens: number } {
  const promptTokens = tasks.reduce((sum, task) => sum + promptTokensOf(task), 0)
  // The embedded summarizer has no window.
  if (summarizer.name === 'embedded') return { windows: 1, promptTokens }
  const windowTokens = summarizer.windowTokens()
  return { windows: tasks.reduce((sum, task) => sum + countWindows(task, windowTokens), 0), promptTokens }
}

function countWindows(task: SummaryTask, windowTokens: number): number {
  const fit = fitWindow(task, windowTokens)
  return fit.kind === 'parts' ? fit.parts.length : 1
}
