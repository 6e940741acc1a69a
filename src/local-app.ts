import { buildApp } from './app.ts'
import { createSummarizer } from './model/create-summarizer.ts'
import { loadPrompts } from './prompt/load-prompts.ts'
import type { Settings } from './settings.ts'

/**
 * Builds the application for one caller, in the process of a command or a script: without worker processes, Redis and hooks,
 * and never overloaded, however busy the machine is.
 * @throws Error that names the faults of the operator's prompts
 */
export async function buildLocalApp(settings: Settings): ReturnType<typeof buildApp> {
  const prompts = loadPrompts(new URL('../prompts/', import.meta.url), settings.prompts)
  const summarizer = await createSummarizer(settings, prompts.templates)
  return buildApp({ settings, prompts, summarizer, maxEventLoopDelayMs: Infinity })
}
