import type { CallBudget, Draft, Summarizer, SummaryTask } from './summarizer.ts'

/** One value for each span of a compaction that has new text; a split turn has both. */
export interface Spans<T> {
  history?: T
  turnPrefix?: T
}

/**
 * Summarizes the spans side by side. When one fails for good its sibling is ended: nobody would read what it wrote.
 * @throws what the first span to fail threw
 */
export async function summarizeSpans(
  summarizer: Summarizer,
  { history, turnPrefix }: Spans<SummaryTask>,
  budget: CallBudget,
): Promise<Spans<Draft>> {
  const siblings = new AbortController()
  const signal = AbortSignal.any([budget.signal, siblings.signal])
  const summarize = async (task: SummaryTask): Promise<Draft> => {
    try {
      return await summarizer.summarize(task, { ...budget, signal })
    } catch (error) {
      siblings.abort(error)
      throw error
    }
  }
  // allSettled: a sibling that is being ended must not become an unhandled rejection, nor outlive this call.
  const [first, second] = await Promise.allSettled([history && summarize(history), turnPrefix && summarize(turnPrefix)])
  if (siblings.signal.aborted) throw siblings.signal.reason
  return {
    ...(first.status === 'fulfilled' && first.value ? { history: first.value } : {}),
    ...(second.status === 'fulfilled' && second.value ? { turnPrefix: second.value } : {}),
  }
}
