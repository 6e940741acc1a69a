import { noteContent } from './ledger.ts'
import type { CallBudget, Draft, Summarizer } from '../../src/model/summarizer.ts'
import type { SummaryTask } from '../../src/prompt/task.ts'

export interface FakeSummarizer extends Summarizer {
  /** Every task that it was given, in order. */
  readonly tasks: SummaryTask[]
  readonly budgets: CallBudget[]
}

type Answer = string | ((task: SummaryTask, budget: CallBudget) => string | Promise<string>)

/** A summarizer that records what it is asked and answers as it is told; by default with the task's kind. */
export function fakeSummarizer(answer: Answer = ({ kind }) => `## Goal\nA summary of the ${kind}.`): FakeSummarizer {
  const tasks: SummaryTask[] = []
  const budgets: CallBudget[] = []
  return {
    name: 'openai',
    windowTokens: () => 128_000,
    tasks,
    budgets,
    async summarize(task, budget): Promise<Draft> {
      tasks.push(task)
      budgets.push(budget)
      noteContent([task.prompt, task.systemPrompt])
      const text = typeof answer === 'string' ? answer : await answer(task, budget)
      noteContent(text)
      return { text, model: 'fake', calls: 1, redactions: 0, windows: 1, usage: { inputTokens: 10, outputTokens: 5 } }
    },
  }
}
