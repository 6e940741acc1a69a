import type { Config } from '../config.ts'
import type { Templates } from '../prompt/load-templates.ts'
import { createEmbeddedSummarizer } from './embedded/create-embedded-summarizer.ts'
import { fallBackToEmbedded } from './fall-back-to-embedded.ts'
import { createOpenAiSummarizer } from './openai/create-openai-summarizer.ts'
import { createMemoryStore } from './sharing/result-store.ts'
import type { Summarizer } from './summarizer.ts'

/** Chooses the summarizer: a model server where one is configured, else the embedded one. */
export function createSummarizer(config: Config, templates: Templates): Summarizer {
  const embedded = takePlaces(createEmbeddedSummarizer({ windowTokens: config.contextWindow }))
  if (config.model === undefined) return embedded
  const openai = createOpenAiSummarizer({
    ...config.model,
    maxSummaryTokens: config.maxSummaryTokens,
    concurrency: config.concurrency,
    brevityDemand: templates.brevity,
    store: createMemoryStore(config.cache),
  })
  return config.onFailure === 'embedded' ? fallBackToEmbedded(openai, embedded) : openai
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
