import { OpenAI } from 'openai'
import type { ModelConfig, Candidate } from '../../config.ts'
import { UNOBSERVED, type ModelObserver } from '../observer.ts'
import { createMemoryStore, type ResultStore } from '../sharing/result-store.ts'
import { createSingleFlight, type CachedResult } from '../sharing/single-flight.ts'
import { type Summarizer, emptyTally, type Draft } from '../summarizer.ts'
import type { Answered, CallDeps, CallContext } from './call-context.ts'
import { keepErrorBodies, createPooledFetch } from './client.ts'
import { limitCalls } from './limit-calls.ts'
import { createLearnedWindows } from './learned-windows.ts'
import { startTimer as startRealTimer, wait as reallyWait } from '../../runtime/abort.ts'
import { Problem } from '../../errors.ts'
import { joinSummaries } from '../../prompt/chunk-prompt.ts'
import { retellTask, type SummaryTask } from '../../prompt/task.ts'
import { tryCandidates } from './try-candidates.ts'

export interface OpenAiOptions extends ModelConfig {
  /** The cap: ceiling of any one summary, in tokens. */
  maxSummaryTokens: number
  /** Calls under way at once, over all tasks. */
  concurrency: number
  /** Appended to the prompt when an answer was too long. */
  brevityDemand: string
  /** Where finished answers are kept for equal tasks; left out, nowhere. */
  store?: ResultStore<CachedResult<Answered[]>>
  observer?: ModelObserver
  /** Replaces secrets in what models write; left out, nothing is replaced. */
  redact?: CallDeps['redact']
  fetch?: typeof fetch
  /** Time and chance: tests put in their own. */
  wait?: CallDeps['wait']
  startTimer?: CallDeps['startTimer']
  random?: CallDeps['random']
  now?: CallDeps['now']
}

/** What decides an answer beside its task: services that have it in common may share a store. */
const cacheNamespaceOf = ({
  baseUrl = '',
  candidates,
  reasoningEffort = '',
  maxSummaryTokens,
  redact,
}: OpenAiOptions): string =>
  JSON.stringify([baseUrl, candidates, reasoningEffort, maxSummaryTokens, redact !== undefined])

const OPENAI_BASE_URL = 'https://api.openai.com/v1'

/** The SDK's timeout counts from each call's start, ten minutes by default. Ours is the deadline: this never comes. */
const NEVER_MS = 2_147_483_647

/**
 * Creates the summarizer that asks an OpenAI-compatible chat-completions server: its candidates in order, each with
 * retries, until one has given a checked summary.
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const { candidates, observer = UNOBSERVED, wait = reallyWait, random = Math.random, now = Date.now } = options
  const { startTimer = startRealTimer } = options
  const tools: CallDeps = {
    client: createClient(options),
    reasoningEffort: options.reasoningEffort,
    maxSummaryTokens: options.maxSummaryTokens,
    brevityDemand: options.brevityDemand,
    parameterSupport: new Map(),
    windows: createLearnedWindows(),
    limit: limitCalls(options.concurrency).limit,
    share: createSingleFlight({
      store: options.store ?? createMemoryStore({ entries: 0, ttlMs: 0 }),
      onAsked: observer.shared,
    }),
    observer,
    cacheNamespace: cacheNamespaceOf(options),
    redact: options.redact ?? ((text) => ({ text, redactions: 0 })),
    wait,
    startTimer,
    random,
    now,
  }
  return {
    name: 'openai',
    windowTokens: () => (candidates[0] === undefined ? 0 : tools.windows.of(candidates[0])),
    summarize: (task, budget) => {
      const { tally = emptyTally() } = budget
      return summarizeInWindows(task, candidates, { ...tools, budget, tally, failed: new AbortController() })
    },
  }
}

/**
 * Retries are ours, so that calls are counted and nothing sleeps past the deadline. What the SDK would take from the
 * environment by itself is given, so that a server hears of no other key or account; it insists on some key.
 */
function createClient({
  apiKey = 'none',
  baseUrl = OPENAI_BASE_URL,
  fetch = createPooledFetch(),
}: OpenAiOptions): OpenAI {
  return new OpenAI({
    apiKey,
    organization: null,
    project: null,
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    fetch: keepErrorBodies(fetch),
  })
}

/**
 * Writes one summary, of parts where the transcript is larger than a window: they are summarized side by side and
 * merged by one more call; where too many for that, neighbours are merged first, level by level.
 * @throws Problem, or the budget's signal's reason, as `tryCandidates` does
 */
export async function summarizeInWindows(
  task: SummaryTask,
  candidates: readonly Candidate[],
  context: CallContext,
): Promise<Draft> {
  let answers = await tryCandidates(task, candidates, context)
  let { prompt } = task
  const windows = answers.length
  while (answers.length > 1) {
    context.budget.onProgress?.({ done: windows, total: windows + 1, phase: 'merge' })
    const merge = mergeTask(task, answers)
    prompt = merge.prompt
    const merged = await tryCandidates(merge, candidates, context)
    if (merged.length >= answers.length)
      throw new Problem(
        'prompt-too-large',
        'What is told around the conversation leaves too little of the window to it.',
      )
    answers = merged
  }
  const [answer] = answers
  if (answer === undefined) throw new Error('A task has at least one part.')
  return { ...answer, ...context.tally, windows, prompt }
}

/** The summaries stand for the transcript, and where they are too many themselves they are cut as it was. */
function mergeTask(task: SummaryTask, answers: readonly Answered[]): SummaryTask {
  const { chunking } = task
  if (chunking === undefined) throw new Error('A task without a chunking has no chunks.')
  const conversation = joinSummaries(answers.map(({ text }) => text))
  const { merge } = chunking
  const prompt = merge(conversation)
  return retellTask(task, { prompt, chunking: { conversation, unit: 'text', chunk: merge, merge } })
}
