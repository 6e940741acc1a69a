import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import { isProgram } from '../../model/commands/programs.ts'
import type { Cli } from '../cli.ts'
import { configPathOf, readConfigFile } from '../config/config-file.ts'
import { CliError } from '../exit.ts'

/**
 * Returns what a user must know before an agent gets the summaries of Précis alone: without a model, they are not as good as those by
 * the model of the agent.
 */
export function remarkOnSummaries({ id, name, replacesSummary }: InstallTarget, { url }: Setup, cli: Cli): string[] {
  if (replacesSummary !== true || url !== undefined || isWriterConfigured(cli)) return []
  const setting = isProgram(id) ? { with: id } : { model: 'anthropic:claude-haiku-4-5' }
  const key = isProgram(id) ? '' : ', and its key into ANTHROPIC_API_KEY'
  return [
    `${name} will get the summaries of Précis in place of those by its own model. No model is configured, so code picks their sentences: ` +
      'such summaries answer fewer questions than those by a model (docs/evaluation.md).',
    `To have a model write them, put ${JSON.stringify(setting)} into ${configPathOf(cli)}${key}.`,
  ]
}

/** A file with faults is an error of the commands that need it. */
function isWriterConfigured(cli: Cli): boolean {
  try {
    const { model, with: commands, url } = readConfigFile(cli).config
    return (model ?? commands ?? url) !== undefined
  } catch (error) {
    if (error instanceof CliError) return false
    throw error
  }
}
