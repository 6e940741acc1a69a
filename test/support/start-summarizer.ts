import type { Test } from 'tap'
import { Problem } from '../../src/errors.ts'
import { createOpenAiSummarizer, type OpenAiOptions } from '../../src/model/openai/openai-summarizer.ts'
import type { CallBudget } from '../../src/model/summarizer.ts'
import { createTask } from '../../src/prompt/task.ts'
import { startModelServer, type Script } from './model-server.ts'

/** The key that the summarizer holds: no error may tell it. */
export const OUR_KEY = 'sk-our-own-key'

export const TASK = createTask({ kind: 'prompt', systemPrompt: 'Be exact.', prompt: 'Summarize.', maxTokens: 50 })

/** A budget that only the test ends; its deadline is told, not kept. */
export function openBudget(deadlineMs = 100_000): CallBudget & { controller: AbortController } {
  const controller = new AbortController()
  return { controller, signal: controller.signal, deadlineAt: Date.now() + deadlineMs }
}

/** An OpenAI-compatible summarizer with a scripted server behind it. Its waits are noted, not waited; chance is 0. */
export async function startSummarizer(t: Test, script: Script, options: Partial<OpenAiOptions> = {}) {
  const server = await startModelServer(t, script)
  const waits: number[] = []
  const summarizer = createOpenAiSummarizer({
    baseUrl: server.url,
    apiKey: OUR_KEY,
    candidates: [{ model: 'first', contextWindow: 128_000 }],
    maxSummaryTokens: 1000,
    concurrency: 4,
    brevityDemand: 'Be much shorter.',
    wait: async (ms) => {
      waits.push(ms)
    },
    random: () => 0,
    ...options,
  })
  return { summarizer, server, waits }
}

/** Candidates by their names, each with the same window. */
export const candidates = (...models: string[]) => models.map((model) => ({ model, contextWindow: 128_000 }))

/** What became of a task: its draft without the model, or its problem's type and detail. */
export async function outcomeOf(summarizing: ReturnType<ReturnType<typeof createOpenAiSummarizer>['summarize']>) {
  try {
    const { text, calls } = await summarizing
    return { text, calls }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { type: error.type, detail: error.message }
  }
}
