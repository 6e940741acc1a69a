import type { Environment } from '../environment.ts'
import { isNested, nameOfCommand, type SummaryCommand } from '../model/commands/command.ts'
import { PROGRAM_NAMES } from '../model/commands/programs.ts'
import { nameOfTyped } from '../model/commands/typed-name.ts'
import { nearName } from '../text/near-name.ts'
import type { Cli } from './cli.ts'
import { CliError } from './exit.ts'
import { findProgram } from './find-program.ts'
import { parseCommands, type NamedCommand } from './parse-command.ts'
import { optionTextOf, optionTextsOf, type Values } from './read-arguments.ts'

/** The commands that write summaries, by their names, in order of preference. */
export type Commands = Readonly<Record<string, SummaryCommand>>

/**
 * Returns the commands of `--with`; undefined without the option.
 * @throws CliError for one that cannot be run
 */
function commandsOf(values: Values, { env, folder }: Pick<Cli, 'env' | 'folder'>): Commands | undefined {
  const texts = optionTextsOf(values, 'with')
  if (texts.length === 0) return undefined
  if (isNested(env)) throw new CliError('usage', 'A command that writes a summary cannot ask for another one: --with.')
  return Object.fromEntries(
    parsed(texts, optionTextOf(values, 'model')).map((named) => {
      const isKnown = 'program' in named
      requireProgram(isKnown ? named.program : (named.words[0] ?? ''), env, folder)
      const command = isKnown ? { ...named, env } : { words: named.words, name: nameOfTyped(named.typed), folder, env }
      return [nameOfCommand(command), command]
    }),
  )
}

/** Returns what writes the summaries, by the options of a command. @throws CliError for a command that cannot be run */
export const writerNamed = (values: Values, cli: Pick<Cli, 'env' | 'folder'>) => ({
  url: optionTextOf(values, 'url'),
  model: optionTextOf(values, 'model'),
  commands: commandsOf(values, cli),
})

function parsed(texts: readonly string[], model: string | undefined): NamedCommand[] {
  try {
    return parseCommands(texts, model, { with: '--with', model: '--model' })
  } catch (cause) {
    throw new CliError('usage', (cause as Error).message, { cause })
  }
}

/** Refuses, before a session is read, a program that is not there. @throws CliError */
function requireProgram(file: string, env: Environment, folder: string): void {
  if (findProgram(file, env, folder) !== undefined) return
  const meant = nearName(file, PROGRAM_NAMES)
  const advice = meant === undefined || meant === file ? 'Install it, or check the PATH.' : `Did you mean ${meant}?`
  throw new CliError('usage', `There is no program "${file}" that can be run. ${advice}`)
}
