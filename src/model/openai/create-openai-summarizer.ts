import { setTimeout as delay } from 'node:timers/promises'
import { OpenAI } from 'openai'
import type { Candidate, ModelConfig } from '../../config.ts'
import type { Draft, Summarizer, SummaryTask } from '../summarizer.ts'
import { askCandidate } from './ask-candidate.ts'
import type { Asking, AskingTools } from './asking.ts'
import type { Failure } from './failure.ts'
import { limitCalls } from './limit-calls.ts'
import { modelProblem } from './model-problem.ts'

/** The SDK counts from each attempt's start, and would end it after ten minutes; ours is the deadline. */
const NEVER_MS = 2_147_483_647

export interface OpenAiOptions extends ModelConfig {
  /** The cap: ceiling of any one summary, in tokens. */
  maxSummaryTokens: number
  /** Calls under way at once. */
  concurrency: number
  /** Appended to the prompt when an answer was too long. */
  brevityDemand: string
  /** For tests. */
  tools?: Partial<Pick<AskingTools, 'wait' | 'random' | 'now'>>
}

/**
 * Creates the summarizer that asks an OpenAI-compatible chat-completions server: its candidates in order, each with
 * retries, until one has given a checked summary.
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const tools: AskingTools = {
    client: createClient(options),
    maxSummaryTokens: options.maxSummaryTokens,
    brevityDemand: options.brevityDemand,
    dialects: new Map(),
    limit: limitCalls(options.concurrency),
    wait: async (ms, signal) =>
      delay(ms, undefined, { signal }).catch(() => {
        signal.throwIfAborted()
      }),
    random: Math.random,
    now: Date.now,
    ...(options.reasoningEffort === undefined ? {} : { reasoningEffort: options.reasoningEffort }),
    ...options.tools,
  }
  return {
    name: 'openai',
    windowTokens: () => options.candidates[0]?.contextWindow ?? 0,
    summarize: (task, budget) => {
      const tally = { calls: 0, usage: { inputTokens: 0, outputTokens: 0 } }
      return askInOrder(task, options.candidates, { ...tools, budget, tally })
    },
  }
}

/** Retries are ours, so that calls are counted and nothing sleeps past the deadline. The SDK insists on some key. */
const createClient = ({ apiKey = 'none', baseUrl }: ModelConfig): OpenAI =>
  new OpenAI({
    apiKey,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  })

async function askInOrder(task: SummaryTask, candidates: readonly Candidate[], asking: Asking): Promise<Draft> {
  const failures: { model: string; failure: Failure }[] = []
  for (const [index, { model }] of candidates.entries()) {
    const answer = await askCandidate({ model, task, isLast: index === candidates.length - 1 }, asking)
    if (answer.ok) return { text: answer.text, model, ...asking.tally }
    failures.push({ model, failure: answer.failure })
  }
  throw modelProblem(failures)
}
