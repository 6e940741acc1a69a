import { noteContent } from './ledger.ts'
import { addTally, type CallBudget, type ModelDraft, type ModelSummarizer } from '../../src/model/summarizer.ts'
import type { ChatTurn, SummaryTask } from '../../src/prompt/task.ts'

/** A task whose texts are read. */
export interface ReadTask extends Omit<SummaryTask, 'prompt' | 'turns'> {
  prompt: string
  turns?: ChatTurn[]
}

/** Returns a task with its texts as text. */
export const readTask = ({ prompt, turns, ...task }: SummaryTask): ReadTask => ({
  ...task,
  prompt: prompt.toString(),
  ...(turns === undefined ? {} : { turns: JSON.parse(turns.toString()) as ChatTurn[] }),
})

export interface FakeSummarizer extends ModelSummarizer {
  /** Every task that it was given, in order. */
  readonly tasks: ReadTask[]
  readonly budgets: CallBudget[]
}

type Answer = string | ((task: ReadTask, budget: CallBudget) => string | Promise<string>)

/** A summarizer that records what it is asked and answers as it is told; by default with the task's kind. */
export function fakeSummarizer(answer: Answer = ({ kind }) => `## Goal\nA summary of the ${kind}.`): FakeSummarizer {
  const tasks: ReadTask[] = []
  const budgets: CallBudget[] = []
  return {
    name: 'openai',
    onFailure: 'error',
    windowTokens: () => 128_000,
    tasks,
    budgets,
    async summarize(sent, budget): Promise<ModelDraft> {
      const task = readTask(sent)
      tasks.push(task)
      budgets.push(budget)
      noteContent([task.prompt, task.systemPrompt])
      const text = typeof answer === 'string' ? answer : await answer(task, budget)
      noteContent(text)
      const usage = { inputTokens: 10, outputTokens: 5 }
      const used = { calls: 1, redactions: 0, usage }
      if (budget.tally !== undefined) addTally(budget.tally, used)
      return { text, model: 'fake', chunks: 1, ...used }
    },
  }
}
