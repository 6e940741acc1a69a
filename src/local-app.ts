import { buildApp } from './app.ts'
import type { Settings } from './settings.ts'
import { createSummarizer } from './model/create-summarizer.ts'
import { loadPrompts } from './prompt/load-prompts.ts'

/**
 * Builds the application for one caller, in the process of a command or a script: without worker processes, Redis and hooks,
 * and never overloaded, however busy the machine is.
 * @throws Error that names the faults of the operator's prompts
 */
export async function buildLocalApp(config: Settings): ReturnType<typeof buildApp> {
  const prompts = loadPrompts(new URL('../prompts/', import.meta.url), config.prompts)
  const summarizer = await createSummarizer(config, prompts.templates)
  const { maxSummaryTokens, redact } = config
  return buildApp({ config, ...prompts, summarizer, maxSummaryTokens, redact, maxEventLoopDelayMs: Infinity })
}
