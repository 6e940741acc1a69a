import type { SummaryTask } from './model/summarizer.ts'
import { createPace } from './pace.ts'
import type { CompactionServices, PipelineBudget, SentPlan } from './pipeline.ts'
import { measureTasks } from './prompt/measure-tasks.ts'
import { runInTurns } from './steps.ts'

/**
 * Tells what is about to be sent, where anybody listens: else it is not measured.
 * @param facts what is known of it beside that
 */
export async function tellPlan(
  tasks: readonly SummaryTask[],
  { summarizer, budget }: Pick<CompactionServices, 'summarizer'> & { budget: PipelineBudget },
  facts: Omit<SentPlan, 'windows' | 'promptTokens'> = {},
): Promise<void> {
  if (budget.onPlan === undefined) return
  const sent = await runInTurns(measureTasks(tasks, summarizer), createPace(budget.signal))
  budget.onPlan({ ...sent, ...facts })
}
