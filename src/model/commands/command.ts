import type { Environment } from '../../environment.ts'
import { programNamed, type ProgramName } from './programs.ts'

/** A command that writes summaries: its prompt is its standard input, the summary what it prints. */
export type SummaryCommand = (KnownCommand | TypedCommand) & { env: Environment }

interface KnownCommand {
  program: ProgramName
  model?: string | undefined
}

interface TypedCommand {
  words: readonly string[]
  /** What it is called in reports. */
  name: string
  /** Where it runs. */
  folder: string
}

/** Returns what a command is called in reports. */
export function nameOfCommand(command: SummaryCommand): string {
  if (!('program' in command)) return command.name
  return command.model === undefined ? command.program : `${command.program}:${command.model}`
}

/** Set for a program that writes a summary: a command of ours that it starts must not ask for another summary. */
const NESTED = 'PRECIS_NESTED'

export const isNested = (env: Environment): boolean => (env[NESTED] ?? '') !== ''

/**
 * Variables that every known program gets: where it is, how it reaches the network, what language the user speaks, and whether the user
 * wants statistics to be sent.
 */
export const COMMON_VARIABLES = [
  ...[
    'ALL_PROXY',
    'DBUS_SESSION_BUS_ADDRESS',
    'DO_NOT_TRACK',
    'HOME',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'LANG',
    'LC_*',
    'LOGNAME',
  ],
  ...['NODE_EXTRA_CA_CERTS', 'NO_PROXY', 'PATH', 'SHELL', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'TZ', 'USER', 'XDG_*'],
] as const

/** Returns the environment of a known program: of the user's variables those that are listed, and not one more. */
export function environmentOf(program: ProgramName, env: Environment): Record<string, string> {
  const names = [...COMMON_VARIABLES, ...programNamed(program).env]
  const isListed = (name: string): boolean => names.some((one) => matches(one, name))
  return chosen(env, (name) => isListed(name) || isListed(name.toUpperCase()))
}

/** Returns the environment of a command that the user has typed: all of the user's. */
export const wholeEnvironment = (env: Environment): Record<string, string> => chosen(env, () => true)

const chosen = (env: Environment, isChosen: (name: string) => boolean): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && isChosen(name) ? [[name, value]] : [])),
  ),
  [NESTED]: '1',
})

/** A star stands at one end of a listed name. */
function matches(listed: string, name: string): boolean {
  if (listed.startsWith('*')) return name.endsWith(listed.slice(1))
  return listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : listed === name
}
