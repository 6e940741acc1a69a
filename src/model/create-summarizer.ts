import type { Config } from '../config.ts'
import type { SharedMemory } from '../redis.ts'
import type { Templates } from '../prompt/load-templates.ts'
import { redactText } from '../redact/redact-text.ts'
import { UNOBSERVED, type ModelObserver } from './observer.ts'
import { createEmbeddedSummarizer } from './embedded/create-embedded-summarizer.ts'
import { fallBackToEmbedded } from './fall-back-to-embedded.ts'
import { createRedisStore, tierStores } from './sharing/redis-store.ts'
import { createMemoryStore, type ResultStore } from './sharing/result-store.ts'
import type { Summarizer } from './summarizer.ts'

export interface Outside {
  shared?: SharedMemory | undefined
  observer?: ModelObserver
}

/** Chooses the summarizer: a model server where one is configured, else the embedded one. */
export async function createSummarizer(
  config: Config,
  templates: Templates,
  outside: Outside = {},
): Promise<Summarizer> {
  const { shared, observer = UNOBSERVED } = outside
  const embedded = takePlaces(createEmbeddedSummarizer({ windowTokens: config.contextWindow }))
  if (config.model === undefined) return embedded
  // Loaded only where it is wanted: a quarter of the start and 20 MiB.
  const { createOpenAiSummarizer } = await import('./openai/create-openai-summarizer.ts')
  const openai = createOpenAiSummarizer({
    ...config.model,
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
      await budget.job?.enter(budget.signal)
      return summarizer.summarize(task, budget)
    },
  }
}
