import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import { isProgram, PROGRAM_NAMES } from '../../model/commands/programs.ts'
import type { Cli } from '../cli.ts'
import { configPathOf, readConfigFile } from '../config/config-file.ts'
import { CliError } from '../exit.ts'
import { findProgram } from '../find-program.ts'

/**
 * Returns what a user must know of compactions before an agent gets the summaries of Précis: what its model gets, and what writes them.
 * Without a model, they are not as good as those by the model of the agent.
 */
export function remarkOnSummaries({ command = '', atCompaction }: InstallTarget, setup: Setup, cli: Cli): string[] {
  const use = atCompaction?.(setup)
  if (use === undefined) return []
  const writer = setup.url ?? configuredWriter(cli)
  if (writer !== undefined) return [`${use} ${writer} writes the one by Précis.`]
  return [
    use,
    'No model is configured, so code picks the sentences of the one by Précis: ' +
      'such summaries answer fewer questions than those by a model (docs/evaluation.md).',
    adviseModel(cli, command),
  ]
}

/**
 * Returns how a user has a model write the summaries: by a program that is on this machine, or else by a model server.
 * @param own the program of the agent, which is named first
 */
export function adviseModel(cli: Cli, own = ''): string {
  const { env, folder } = cli
  const program = [own, ...PROGRAM_NAMES].find(
    (name) => isProgram(name) && findProgram(name, env, folder) !== undefined,
  )
  const setting = program === undefined ? { model: 'anthropic:claude-haiku-4-5' } : { with: program }
  const key = program === undefined ? ', and its key into ANTHROPIC_API_KEY' : ''
  return `To have a model write them, put ${JSON.stringify(setting)} into ${configPathOf(cli)}${key}.`
}

/** Returns what the configuration names to write summaries. A file with faults is an error of the commands that need it. */
function configuredWriter(cli: Cli): string | undefined {
  try {
    const { model, with: commands, url } = readConfigFile(cli).config
    const named = url ?? commands ?? model
    return named === undefined ? undefined : [named].flat().join(', then ')
  } catch (error) {
    if (error instanceof CliError) return undefined
    throw error
  }
}
