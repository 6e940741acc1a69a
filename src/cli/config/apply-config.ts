import { readFileSync } from 'node:fs'
import type { Machine } from '../../agents/home.ts'
import type { Environment } from '../../environment.ts'
import type { VariableName } from '../../variables.ts'
import { describeFileFault } from '../describe-file-fault.ts'
import { CliError } from '../exit.ts'
import type { Values } from '../read-arguments.ts'
import { readConfigFile, type Config, type ConfigFile } from './config-file.ts'
import { SETTING_NAMES, settingNamed, type SettingName } from './settings-table.ts'

/** The options and the environment that count for a command. */
interface Effective {
  values: Values
  env: Environment
}

/** The settings that say who writes a summary: an option for one of them replaces them all. */
const WRITERS: readonly SettingName[] = ['model', 'with', 'url']

/**
 * Returns the options and variables that count for a command: an option counts more than its variable, a variable more than the
 * configuration file.
 * @param options the names of the command's options
 * @throws CliError if the configuration file cannot be used
 */
export function withConfig(
  given: Values,
  options: readonly string[],
  machine: Pick<Machine, 'env' | 'home'>,
): Effective {
  const { env } = machine
  if (!options.includes('no-config') || given['no-config'] === true) return { values: given, env }
  const file = readConfigFile(machine)
  const { config } = file
  const isReplaced = (name: SettingName): boolean =>
    name in given || (WRITERS.includes(name) && WRITERS.some((one) => one in given))
  const own = SETTING_NAMES.filter((name) => options.includes(name) && !isReplaced(name) && !isSet(name, env))
  const values = { ...given, ...Object.fromEntries(own.flatMap((name) => optionOf(name, config))) }
  const isOwnService = config['url'] !== undefined && values['url'] === String(config['url'])
  const token = isOwnService ? readToken(file, env) : undefined
  return { values, env: { ...env, ...variablesOf(config, env), ...(token !== undefined && { PRECIS_TOKENS: token }) } }
}

/** Whether a variable counts instead of a setting. */
export function isSet(name: SettingName, env: Environment): boolean {
  const { variable } = settingNamed(name)
  return variable !== undefined && (env[variable] ?? '').trim() !== ''
}

function optionOf(name: SettingName, config: Config): [string, string | boolean | string[]][] {
  const value = config[name]
  if (value === undefined) return []
  if (name === 'with') return [[name, [value].flat().map(String)]]
  return [[name, typeof value === 'boolean' ? value : String(value)]]
}

/** Returns the variables of settings that are not options. */
function variablesOf(config: Config, env: Environment): Partial<Record<VariableName, string>> {
  const entries = SETTING_NAMES.flatMap((name): [VariableName, string][] => {
    const { variable, isOption = false } = settingNamed(name)
    const value = config[name]
    return variable === undefined || value === undefined || isOption || isSet(name, env)
      ? []
      : [[variable, String(value)]]
  })
  return Object.fromEntries(entries)
}

/** Returns the token of the configured service. It is sent to no other one. @throws CliError */
function readToken({ config, path }: ConfigFile, env: Environment): string | undefined {
  if ((env['PRECIS_TOKENS'] ?? '') !== '') return undefined
  const [variable, file] = [config['token-variable'], config['token-file']]
  if (typeof variable === 'string') {
    const token = env[variable]?.trim() ?? ''
    if (token === '')
      throw new CliError('usage', `The variable ${variable} is not set: "token-variable" of ${path} names it.`)
    return token
  }
  if (typeof file !== 'string') return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const why = describeFileFault(cause)
    throw new CliError('usage', `The token of "token-file" in ${path} cannot be read: ${why}.`, { cause })
  }
}
