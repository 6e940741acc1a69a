import type { Progress } from '../model/summarizer.ts'

/**
 * Returns what makes the listeners of tasks that run at the same time: the client gets the sums, so that its progress never goes
 * back. A task counts as one call until it reports its parts; the end of a task is reported if there are several.
 * @param count the number of tasks
 */
export function joinProgress(count: number, onProgress: ((progress: Progress) => void) | undefined) {
  const parts: Progress[] = Array.from({ length: count }, () => ({ done: 0, total: 1, phase: 'summarize' }))
  const sum = (field: 'done' | 'total'): number => parts.reduce((total, part) => total + part[field], 0)
  const report = (task: number, progress: Progress): void => {
    parts[task] = progress
    onProgress?.({ done: sum('done'), total: sum('total'), phase: progress.phase })
  }
  return (task: number) => ({
    onProgress: (progress: Progress) => {
      report(task, progress)
    },
    finish: (): void => {
      const { total = 1 } = parts[task] ?? {}
      if (count > 1) report(task, { done: total, total, phase: 'summarize' })
    },
  })
}
