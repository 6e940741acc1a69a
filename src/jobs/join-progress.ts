import type { Progress } from '../model/summarizer.ts'

/**
 * Returns a function that makes the listener of one of some tasks that run at the same time: the client gets the sums, so that
 * its progress never goes back. A task counts as one call until it reports its parts.
 * @param count the number of tasks
 */
export function joinProgress(count: number, onProgress: ((progress: Progress) => void) | undefined) {
  const parts: Progress[] = Array.from({ length: count }, () => ({ done: 0, total: 1, phase: 'summarize' }))
  const sum = (field: 'done' | 'total'): number => parts.reduce((total, part) => total + part[field], 0)
  return (task: number) => (progress: Progress) => {
    parts[task] = progress
    onProgress?.({ done: sum('done'), total: sum('total'), phase: progress.phase })
  }
}
