import type { Config } from '../config.ts'
import type { SharedMemory } from '../runtime/redis.ts'
import type { Templates } from '../prompt/templates.ts'
import { redactText } from '../redact/redact-text.ts'
import { UNOBSERVED, type ModelObserver } from './observer.ts'
import { createEmbeddedSummarizer } from './embedded/embedded-summarizer.ts'
import { createRedisStore, tierStores, createMemoryStore, type ResultStore } from './sharing/result-store.ts'
import { isCachedAnswers, type ModelAnswer } from './openai/call-context.ts'
import type { OpenAiOptions } from './openai/openai-summarizer.ts'
import type { CachedResult } from './sharing/single-flight.ts'
import type { Summarizer } from './summarizer.ts'
import { Problem } from '../errors.ts'

interface SummarizerDeps {
  shared?: SharedMemory | undefined
  observer?: ModelObserver
  /** Tests use their own time. */
  time?: Pick<OpenAiOptions, 'wait' | 'startTimer'>
}

/** Creates the summarizer: the one that calls the configured model server, or else the embedded one. */
export async function createSummarizer(
  config: Config,
  templates: Templates,
  deps: SummarizerDeps = {},
): Promise<Summarizer> {
  const { shared, observer = UNOBSERVED, time } = deps
  const embedded = withAdmission(createEmbeddedSummarizer({ windowTokens: config.contextWindow }))
  if (config.model === undefined) return embedded
  // Imported only when needed: it costs a quarter of the start-up time and 20 MiB.
  const { createOpenAiSummarizer } = await import('./openai/openai-summarizer.ts')
  const openai = createOpenAiSummarizer({
    ...config.model,
    ...time,
    maxSummaryTokens: config.maxSummaryTokens,
    concurrency: config.modelConcurrency,
    brevityDemand: templates.brevity,
    store: createStore(config.cache, shared, observer),
    observer,
    ...(config.redact ? { redact: redactText } : {}),
  })
  return config.onFailure === 'embedded' ? fallBackToEmbedded(openai, embedded) : openai
}

/** Creates the store of finished results: in this process, and in Redis for other replicas when it is configured. */
function createStore(
  cache: Config['cache'],
  shared: SharedMemory | undefined,
  observer: ModelObserver,
): ResultStore<CachedResult<ModelAnswer[]>> {
  const memory = createMemoryStore<CachedResult<ModelAnswer[]>>(cache)
  observer.watchCacheSize(memory.count)
  const isOff = cache.ttlMs === 0 || cache.entries === 0
  return shared === undefined || isOff
    ? memory
    : tierStores(
        memory,
        createRedisStore(shared.client, {
          ttlMs: cache.ttlMs,
          isResult: isCachedAnswers,
          onError: () => {
            observer.lookedUp('error')
          },
        }),
      )
}

/** Makes a summarizer wait for its request's job: without a model server it needs memory and CPU time as well. */
function withAdmission(summarizer: Summarizer): Summarizer {
  return {
    ...summarizer,
    async summarize(task, budget) {
      await budget.job?.acquire(budget.signal)
      return summarizer.summarize(task, budget)
    },
  }
}

/** Failures of the model side. A deadline or a disconnect is not one of them: no client waits for a reply then. */
const MODEL_PROBLEMS = new Set(['model-failed', 'model-misconfigured', 'prompt-too-large'])

/**
 * Makes the embedded summarizer write the draft when every candidate has failed (`PRECIS_ON_FAILURE=embedded`). Its
 * drafts are marked as degraded.
 */
function fallBackToEmbedded(model: Summarizer, embedded: Summarizer): Summarizer {
  return {
    ...model,
    async summarize(task, budget) {
      try {
        return await model.summarize(task, budget)
      } catch (error) {
        if (!(error instanceof Problem) || !MODEL_PROBLEMS.has(error.type)) throw error
        return { ...(await embedded.summarize(task, budget)), isDegraded: true }
      }
    },
  }
}
