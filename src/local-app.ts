import { buildApp, type AppOptions } from './app.ts'
import type { SummaryCommand } from './model/commands/command.ts'
import { createSummarizer } from './model/create-summarizer.ts'
import type { ModelObserver } from './model/observer.ts'
import { ownFile } from './own-package.ts'
import { loadPrompts } from './prompt/load-prompts.ts'
import type { Settings } from './settings.ts'

/** Services that a command adds to the application. */
export interface LocalOptions extends Pick<AppOptions, 'keeping' | 'sessionForPage'> {
  observer?: ModelObserver | undefined
  /** Receives why the models have failed, when code writes a summary instead. */
  onDegraded?: ((why: string) => void) | undefined
  /** The commands that write summaries, instead of a model server: they are the candidates. */
  commands?: Readonly<Record<string, SummaryCommand>> | undefined
}

/**
 * Builds the application for one caller, in the process of a command or a script: without worker processes, Redis and hooks,
 * and never overloaded, however busy the machine is.
 * @throws Error that names the faults of the operator's prompts
 */
export async function buildLocalApp(
  settings: Settings,
  { keeping, sessionForPage, observer, onDegraded, commands }: LocalOptions = {},
): ReturnType<typeof buildApp> {
  const prompts = loadPrompts(ownFile('prompts/'), settings.prompts)
  const summarizer = await createSummarizer(settings, prompts.templates, {
    ...(observer && { observer }),
    onDegraded,
    ...(commands && { commands }),
  })
  return buildApp({ settings, prompts, summarizer, maxEventLoopDelayMs: Infinity, keeping, sessionForPage })
}
