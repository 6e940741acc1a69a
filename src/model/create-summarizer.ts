import type { Split } from '../prompt/split-conversation.ts'
import type { Templates } from '../prompt/templates.ts'
import type { SharedMemory } from '../runtime/redis.ts'
import type { Candidate } from '../model-settings.ts'
import type { Settings } from '../settings.ts'
import type { SummaryCommand } from './commands/command.ts'
import { UNOBSERVED, type ModelObserver } from './observer.ts'
import { cachedAnswersBy, type ModelAnswer } from './openai/call-context.ts'
import type { OpenAiOptions } from './openai/openai-summarizer.ts'
import { createRedisStore, tierStores, createMemoryStore, type ResultStore } from './sharing/result-store.ts'
import type { CachedResult } from './sharing/single-flight.ts'
import type { Summarizer } from './summarizer.ts'

interface SummarizerDeps {
  shared?: SharedMemory | undefined
  observer?: ModelObserver
  /** The commands of candidates that are no models of a server. */
  commands?: Readonly<Record<string, SummaryCommand>>
  onDegraded?: OpenAiOptions['onDegraded']
  /** The hash of the prompts that the operator has replaced. */
  promptsDigest?: string | undefined
  /** Splits transcripts that are longer than a window; default: in this process. */
  split?: Split
  /** Tests use their own time. */
  time?: Pick<OpenAiOptions, 'wait' | 'startTimer'>
}

/** Creates the summarizer: the configured model server, or else the embedded one. */
export async function createSummarizer(
  settings: Settings,
  templates: Templates,
  deps: SummarizerDeps = {},
): Promise<Summarizer> {
  const { shared, observer = UNOBSERVED, promptsDigest, split, time, commands, onDegraded } = deps
  if (settings.model === undefined) return { name: 'embedded', windowTokens: () => settings.contextWindow }
  // Imported only when needed: it costs a quarter of the start-up time and 20 MiB.
  const { createOpenAiSummarizer } = await import('./openai/openai-summarizer.ts')
  return createOpenAiSummarizer({
    ...settings.model,
    ...time,
    ...(commands && { commands }),
    ...(split && { split }),
    onFailure: settings.onFailure,
    onDegraded,
    maxSummaryTokens: settings.maxSummaryTokens,
    concurrency: settings.modelConcurrency,
    brevityDemand: templates.brevity,
    promptsDigest,
    store: createStore(settings.cache, settings.model.candidates, { shared, observer }),
    observer,
    ...(settings.redact ? { redact: (await import('../redact/redact-text.ts')).redactText } : {}),
  })
}

/** Creates the store of finished results: in this process, and in Redis for other replicas when it is configured. */
function createStore(
  cache: Settings['cache'],
  candidates: readonly Candidate[],
  { shared, observer }: { shared: SharedMemory | undefined; observer: ModelObserver },
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
          isResult: cachedAnswersBy(candidates),
          onError: () => observer.lookedUp('error'),
        }),
      )
}
