import { OpenAI } from 'openai'
import type { ModelConfig } from '../../config.ts'
import { UNOBSERVED, type ModelObserver } from '../observer.ts'
import { createMemoryStore, type ResultStore } from '../sharing/result-store.ts'
import { createWorkShare, type Result } from '../sharing/share-work.ts'
import type { Summarizer } from '../summarizer.ts'
import { emptyTally } from '../tally.ts'
import type { Answered, AskingTools } from './asking.ts'
import { keepErrorBodies } from './keep-error-bodies.ts'
import { limitCalls } from './limit-calls.ts'
import { createPooledFetch } from './pooled-fetch.ts'
import { createRealWindows } from './real-windows.ts'
import { summarizeInWindows } from './summarize-in-windows.ts'
import { wait as reallyWait } from './wait.ts'

export interface OpenAiOptions extends ModelConfig {
  /** The cap: ceiling of any one summary, in tokens. */
  maxSummaryTokens: number
  /** Calls under way at once, over all tasks. */
  concurrency: number
  /** Appended to the prompt when an answer was too long. */
  brevityDemand: string
  /** Where finished answers are kept for equal tasks; left out, nowhere. */
  store?: ResultStore<Result<Answered[]>>
  observer?: ModelObserver
  /** Replaces secrets in what models write; left out, nothing is replaced. */
  redact?: AskingTools['redact']
  fetch?: typeof fetch
  /** Time and chance: tests put in their own. */
  wait?: AskingTools['wait']
  random?: AskingTools['random']
  now?: AskingTools['now']
}

/**
 * Creates the summarizer that asks an OpenAI-compatible chat-completions server: its candidates in order, each with
 * retries, until one has given a checked summary.
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const { candidates, observer = UNOBSERVED, wait = reallyWait, random = Math.random, now = Date.now } = options
  const tools: AskingTools = {
    client: createClient(options),
    reasoningEffort: options.reasoningEffort,
    maxSummaryTokens: options.maxSummaryTokens,
    brevityDemand: options.brevityDemand,
    dialects: new Map(),
    windows: createRealWindows(),
    limit: limitCalls(options.concurrency).limit,
    share: createWorkShare({
      store: options.store ?? createMemoryStore({ entries: 0, ttlMs: 0 }),
      onAsked: observer.shared,
    }),
    observer,
    realm: realmOf(options),
    redact: options.redact ?? ((text) => ({ text, redactions: 0 })),
    wait,
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

/** What decides an answer beside its task: services that have it in common may share a store. */
const realmOf = ({ baseUrl = '', candidates, reasoningEffort = '', maxSummaryTokens, redact }: OpenAiOptions): string =>
  JSON.stringify([baseUrl, candidates, reasoningEffort, maxSummaryTokens, redact !== undefined])

const OPENAI_BASE_URL = 'https://api.openai.com/v1'

/** The SDK's timeout counts from each call's start, ten minutes by default. Ours is the deadline: this never comes. */
const NEVER_MS = 2_147_483_647

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
