import type { Environment } from '../environment.ts'
import { isNested, nameOfCommand, type SummaryCommand } from '../model/commands/command.ts'
import { isProgram, PROGRAM_NAMES } from '../model/commands/programs.ts'
import { commandWords } from '../model/commands/command-words.ts'
import { nameOfTyped } from '../model/commands/typed-name.ts'
import { nearName } from '../text/near-name.ts'
import type { Cli } from './cli.ts'
import { CliError } from './exit.ts'
import { findProgram } from './find-program.ts'
import { optionTextOf, optionTextsOf, type Values } from './read-arguments.ts'

/** The commands that write summaries, by their names, in order of preference. */
export type Commands = Readonly<Record<string, SummaryCommand>>

/**
 * Returns the commands of `--with`; undefined without the option.
 * @throws CliError for one that cannot be run
 */
export function commandsOf(values: Values, { env, folder }: Pick<Cli, 'env' | 'folder'>): Commands | undefined {
  const texts = optionTextsOf(values, 'with')
  if (texts.length === 0) return undefined
  if (isNested(env)) throw new CliError('usage', 'A command that writes a summary cannot ask for another one: --with.')
  const model = optionTextOf(values, 'model')
  if (model !== undefined && texts.length > 1)
    throw new CliError('usage', '--model names the model of one command, and --with is given several times.')
  return Object.fromEntries(
    texts.map((text) => {
      const command = { ...commandOfText(text.trim(), model, folder), env }
      requireProgram('program' in command ? command.program : (command.words[0] ?? ''), env, folder)
      return [nameOfCommand(command), command]
    }),
  )
}

type Parsed =
  | { program: (typeof PROGRAM_NAMES)[number]; model: string | undefined }
  | { words: string[]; name: string; folder: string }

function commandOfText(text: string, model: string | undefined, folder: string): Parsed {
  if (isProgram(text)) return { program: text, model }
  if (model !== undefined)
    throw new CliError(
      'usage',
      `--model is for ${PROGRAM_NAMES.join(', ')}: write the model into the command of --with.`,
    )
  const words = wordsOf(text)
  const [first = ''] = words
  if (first === '') throw new CliError('usage', `--with needs a command, or one of ${PROGRAM_NAMES.join(', ')}.`)
  if (/^\w+=/.test(first)) throw new CliError('usage', `Only a shell sets variables. Write: --with 'env ${text}'`)
  return { words, name: nameOfTyped(text), folder }
}

function wordsOf(text: string): string[] {
  try {
    return commandWords(text)
  } catch (cause) {
    const fault = cause instanceof Error ? cause.message : String(cause)
    throw new CliError('usage', `--with cannot be read as a command. ${fault}`, { cause })
  }
}

/** Refuses, before a session is read, a program that is not there. @throws CliError */
function requireProgram(file: string, env: Environment, folder: string): void {
  if (findProgram(file, env, folder) !== undefined) return
  const meant = nearName(file, PROGRAM_NAMES)
  const advice =
    meant === undefined || meant === file ? 'Install it, or check the PATH.' : `Did you mean --with ${meant}?`
  throw new CliError('usage', `There is no program "${file}" that can be run. ${advice}`)
}
