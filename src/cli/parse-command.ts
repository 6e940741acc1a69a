import { commandWords } from '../model/commands/command-words.ts'
import { isProgram, PROGRAM_NAMES, type ProgramName } from '../model/commands/programs.ts'

/** A command that writes summaries, as a user names it: a known program, or the words of any other command. */
export type NamedCommand = { program: ProgramName; model: string | undefined } | { words: string[]; typed: string }

/** What a user calls the settings for commands: `--with`, or `"with"` of the configuration file. */
interface SettingWords {
  with: string
  model: string
}

/**
 * Reads the commands that a user names, in order of preference.
 * @param model the model of a known program
 * @throws Error that says what to do, in the words of the user
 */
export function parseCommands(texts: readonly string[], model: string | undefined, own: SettingWords): NamedCommand[] {
  if (model !== undefined && texts.length > 1)
    throw new Error(`${own.model} is for one command, and ${own.with} names several: leave out ${own.model}.`)
  return texts.map((text) => parseOne(text.trim(), model, own))
}

function parseOne(text: string, model: string | undefined, own: SettingWords): NamedCommand {
  if (isProgram(text)) return { program: text, model }
  const programs = PROGRAM_NAMES.join(', ')
  if (model !== undefined)
    throw new Error(`${own.model} is for ${programs}: write the model into the command of ${own.with}.`)
  const words = wordsOf(text, own)
  const [first = ''] = words
  if (first === '') throw new Error(`${own.with} needs a command, or one of ${programs}.`)
  if (/^\w+=/.test(first))
    throw new Error(`Only a shell sets variables: begin the command of ${own.with} with \`env\`.`)
  return { words, typed: text }
}

function wordsOf(text: string, own: SettingWords): string[] {
  try {
    return commandWords(text)
  } catch (cause) {
    const fault = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${own.with} cannot be read as a command. ${fault}`, { cause })
  }
}
