import type { Config } from '../config.ts'
import type { SharedMemory } from '../runtime/redis.ts'
import type { Templates } from '../prompt/templates.ts'
import { redactText } from '../redact/redact-text.ts'
import { UNOBSERVED, type ModelObserver } from './observer.ts'
import { createEmbeddedSummarizer } from './embedded/embedded-summarizer.ts'
import { createRedisStore, tierStores, createMemoryStore, type ResultStore } from './sharing/result-store.ts'
import type { OpenAiOptions } from './openai/openai-summarizer.ts'
import type { Summarizer } from './summarizer.ts'
import { Problem } from '../errors.ts'

export interface Outside {
  shared?: SharedMemory | undefined
  observer?: ModelObserver
  /** Tests use their own time. */
  time?: Pick<OpenAiOptions, 'wait' | 'startTimer'>
}

/** Chooses the summarizer: a model server where one is configured, else the embedded one. */
export async function createSummarizer(
  config: Config,
  templates: Templates,
  outside: Outside = {},
): Promise<Summarizer> {
  const { shared, observer = UNOBSERVED, time } = outside
  const embedded = takePlaces(createEmbeddedSummarizer({ windowTokens: config.contextWindow }))
  if (config.model === undefined) return embedded
  // Loaded only where it is wanted: a quarter of the start and 20 MiB.
  const { createOpenAiSummarizer } = await import('./openai/openai-summarizer.ts')
  const openai = createOpenAiSummarizer({
    ...config.model,
    ...time,
    maxSummaryTokens: config.maxSummaryTokens,
    concurrency: config.concurrency,
    brevityDemand: templates.brevity,
    store: createStore(config.cache, shared, observer),
    observer,
    ...(config.redact ? { redact: redactText } : {}),
  })
  return config.onFailure === 'embedded' ? fallBackToEmbedded(openai, embedded) : openai
}

/** Finished answers are kept in this process, and where there is Redis for other replicas too. */
function createStore<T extends object>(
  cache: Config['cache'],
  shared: SharedMemory | undefined,
  observer: ModelObserver,
): ResultStore<T> {
  const memory = createMemoryStore<T>(cache)
  observer.keeps(memory.count)
  const isOff = cache.ttlMs === 0 || cache.entries === 0
  return shared === undefined || isOff
    ? memory
    : tierStores(
        memory,
        createRedisStore<T>(shared.client, {
          ttlMs: cache.ttlMs,
          onError: () => {
            observer.shared('error')
          },
        }),
      )
}

/** Lets a summarizer that calls nobody work as a job too: it takes memory and the processor all the same. */
function takePlaces(summarizer: Summarizer): Summarizer {
  return {
    ...summarizer,
    async summarize(task, budget) {
      await budget.job?.acquire(budget.signal)
      return summarizer.summarize(task, budget)
    },
  }
}

/** Failures of the model side. A deadline or a hang-up is none: nobody waits for a reply then. */
const MODEL_PROBLEMS = new Set(['model-failed', 'model-misconfigured', 'prompt-too-large'])

/**
 * Lets the embedded summarizer answer when every candidate has failed (`PRECIS_ON_FAILURE=embedded`). Its drafts are
 * marked as degraded.
 */
export function fallBackToEmbedded(model: Summarizer, embedded: Summarizer): Summarizer {
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
