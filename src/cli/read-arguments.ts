import { parseArgs } from 'node:util'
import { nearName } from '../text/near-name.ts'
import { commandOf, type Command, type CommandName } from './commands.ts'
import { CliError } from './exit.ts'

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** Reads the arguments of a command. @throws CliError that names the wrong argument */
export function readArguments(name: CommandName, args: readonly string[]): { values: Values; positionals: string[] } {
  const { options, count, args: usage } = commandOf(name)
  const help = { help: { type: 'boolean' as const, short: 'h' } }
  const known: Command['options'] = options
  const { values, positionals } = parse(name, { args: joinNegative(args, known), options: { ...options, ...help } })
  const [least, most] = count
  if (values['help'] !== true && (positionals.length < least || positionals.length > most))
    throw new CliError(
      'usage',
      `precis ${name} takes ${describeCount(usage, positionals.length)}. Try: precis ${name} --help`,
    )
  if (values['help'] !== true) refuseUnknown(values, options)
  return { values, positionals }
}

/** Returns which arguments a command takes; how many were given, if they were too many. */
function describeCount(usage: string, given: number): string {
  if (usage === '') return 'no arguments'
  if (usage.endsWith('...') && given === 0) return `at least one ${usage.slice(0, -'...'.length)}`
  return given > 1 ? `one ${usage}, and ${given} were given` : usage
}

/** Returns arguments in which a negative number belongs to the option before it, so that the error is about the number. */
function joinNegative(args: readonly string[], options: Command['options']): string[] {
  const withValue = Object.entries(options).filter(([, { type }]) => type === 'string')
  const names = withValue.flatMap(([name, { short }]) => [`--${name}`, `-${short}`])
  const belongs = (index: number): boolean => /^-\d/.test(args[index] ?? '') && names.includes(args[index - 1] ?? '')
  return args.flatMap((argument, index) => {
    if (belongs(index)) return []
    if (!belongs(index + 1)) return [argument]
    return [argument + (argument.startsWith('--') ? '=' : '') + (args[index + 1] ?? '')]
  })
}

function parse(
  name: string,
  config: { args: string[]; options: Record<string, { type: 'string' | 'boolean'; multiple?: true }> },
) {
  try {
    return parseArgs({ ...config, allowPositionals: true })
  } catch (cause) {
    const fault = explain(cause)
    const [, unknown] = /^Unknown option '--([\w-]{1,40})'$/.exec(fault) ?? []
    const meant = unknown === undefined ? undefined : nearName(unknown, Object.keys(config.options))
    const isJson = unknown === 'json' && config.options['reply'] !== undefined
    const advice = isJson ? ' Use --reply json.' : meant === undefined ? '' : ` Did you mean --${meant}?`
    throw new CliError('usage', `${fault}.${advice} Try: precis ${name} --help`, { cause })
  }
}

/** Returns an error of `parseArgs` as one plain sentence, without the full stop. */
function explain(error: unknown): string {
  const [line = ''] = error instanceof Error ? error.message.split('\n') : []
  const [, option = '', fault = ''] = /^Option '(?:-\w, )?(--?[\w-]+)(?: <value>)?' (.*)$/.exec(line) ?? []
  if (fault.startsWith('does not take')) return `${option} takes no value`
  if (fault.startsWith('argument')) return `${option} needs a value`
  return line.split('. ')[0] ?? line
}

/** Refuses a value that its option does not know. @throws CliError that names the known ones */
function refuseUnknown(values: Values, options: Command['options']): void {
  for (const [name, { choices }] of Object.entries(options)) {
    const wrong = optionTextsOf(values, name).find((value) => choices?.includes(value) === false)
    if (wrong !== undefined)
      throw new CliError('usage', `--${name} must be one of ${choices?.join(', ')}, not "${wrong}".`)
  }
}

/** Returns all texts of an option, which may be there several times. */
export const optionTextsOf = (values: Values, name: string): string[] =>
  [values[name]].flat().filter((value) => typeof value === 'string')

/** Whether a model or a command writes the summaries. */
export const hasWriter = (values: Values): boolean =>
  optionTextOf(values, 'model') !== undefined || optionTextsOf(values, 'with').length > 0

/** Returns the text of an option; undefined if it was not given. */
export function optionTextOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

const LARGEST = 999_999_999

/** Returns the number of an option. @throws CliError */
export function numberOf(
  values: Values,
  name: string,
  { least = 0, most = LARGEST }: { least?: number; most?: number } = {},
): number | undefined {
  const value = optionTextOf(values, name)
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
  const range = most === LARGEST ? `of at least ${least}` : `from ${least} to ${most}`
  throw new CliError('usage', `--${name} must be a whole number ${range}, in digits alone, not "${value}".`)
}
