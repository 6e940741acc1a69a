import type { Config } from '../config.ts'
import type { Templates } from '../prompt/load-templates.ts'
import { createEmbeddedSummarizer } from './embedded/create-embedded-summarizer.ts'
import { fallBackToEmbedded } from './fall-back-to-embedded.ts'
import { createOpenAiSummarizer } from './openai/create-openai-summarizer.ts'
import type { Summarizer } from './summarizer.ts'

/** Chooses the summarizer: a model server where one is configured, else the embedded one. */
export function createSummarizer(config: Config, templates: Templates): Summarizer {
  const embedded = createEmbeddedSummarizer({ windowTokens: config.contextWindow })
  if (config.model === undefined) return embedded
  const openai = createOpenAiSummarizer({
    ...config.model,
    maxSummaryTokens: config.maxSummaryTokens,
    concurrency: config.concurrency,
    brevityDemand: templates.brevity,
  })
  return config.onFailure === 'embedded' ? fallBackToEmbedded(openai, embedded) : openai
}
