import { fitWindow } from './chunk-prompt.ts'
import { splitHere } from './split-conversation.ts'
import type { SummaryTask } from './task.ts'

/**
 * Measures what will be sent to a summarizer.
 * @param windowTokens its context window; undefined when it has no limit (the embedded summarizer)
 * @returns `windows`: the number of chunks, without merges; `promptTokens`: the tokens of the prompts before splitting
 */
export function measureTasks(
  tasks: readonly SummaryTask[],
  windowTokens: number | undefined,
): { windows: number; promptTokens: number } {
  const sum = (count: (task: SummaryTask) => number): number => tasks.reduce((total, task) => total + count(task), 0)
  return {
    windows: windowTokens === undefined ? 1 : sum((task) => countChunks(task, windowTokens)),
    promptTokens: sum(({ promptTokens }) => promptTokens),
  }
}

function countChunks(task: SummaryTask, windowTokens: number): number {
  const fit = fitWindow(task, windowTokens)
  if (fit.kind !== 'split' || task.chunking === undefined) return 1
  const { start, end, unit } = task.chunking
  return splitHere(task.prompt.subarray(start, end), { capacityTokens: fit.capacityTokens, unit }).length
}
