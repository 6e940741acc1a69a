import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Machine } from '../../agents/home.ts'
import { findJsonFault } from '../../ingest/find-json-fault.ts'
import { isPlainObject } from '../../session/entry.ts'
import { CliError } from '../exit.ts'
import { describeFileFault } from '../describe-file-fault.ts'
import { faultsOfSettings } from './config-faults.ts'
import type { SettingName } from './settings-table.ts'

/** The settings of a configuration file. */
export type Config = Readonly<Partial<Record<SettingName, string | number | boolean | readonly string[]>>>

/** A configuration file, which need not be there. */
export interface ConfigFile {
  path: string
  isThere: boolean
  config: Config
}

/** A larger file is something else. */
const MAX_BYTES = 65_536

/**
 * Returns the path of the configuration file: that of `PRECIS_CONFIG`, or else `precis/config.json` in the folder of the user's
 * configuration (XDG Base Directory Specification 0.8; on Windows, `%APPDATA%`).
 * @throws CliError for a relative path in `PRECIS_CONFIG`: each folder would have its own
 */
export function configPathOf({ env, home }: Pick<Machine, 'env' | 'home'>, platform = process.platform): string {
  const { PRECIS_CONFIG: named = '', XDG_CONFIG_HOME: base = '', APPDATA: data = '' } = env
  if (named !== '' && !isAbsolute(named))
    throw new CliError('usage', `PRECIS_CONFIG must be an absolute path, not "${named}".`)
  if (named !== '') return named
  if (platform === 'win32' && data !== '') return join(data, 'precis', 'config.json')
  return join(isAbsolute(base) ? base : join(home, '.config'), 'precis', 'config.json')
}

/** Reads the configuration file. @throws CliError that names all faults, if it is wrong, or if others can write to it */
export function readConfigFile(machine: Pick<Machine, 'env' | 'home'>): ConfigFile {
  const path = configPathOf(machine)
  const isNamed = (machine.env['PRECIS_CONFIG'] ?? '') !== ''
  if (!isNamed && lstatSync(path, { throwIfNoEntry: false }) === undefined) return { path, isThere: false, config: {} }
  const bytes = readSafely(path)
  return { path, isThere: true, config: parseConfig(path, bytes, machine) }
}

function readSafely(path: string): Buffer {
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error('it is not a file of settings')
    for (const place of new Set([realpathSync(path), dirname(realpathSync(path)), dirname(path)]))
      refuseForeign(place, statSync(place))
    return readFileSync(path)
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    throw new CliError(
      'usage',
      `The configuration file ${path} cannot be read: ${describeFileFault(cause)}. Correct it, or use --no-config.`,
      { cause },
    )
  }
}

/** The file can name a command that is run: whoever can write to it can run commands as this user. @throws CliError */
function refuseForeign(path: string, stat: Pick<Stats, 'uid' | 'mode' | 'isDirectory'>): void {
  const uid = process.getuid?.()
  if (uid === undefined) return
  const isSticky = stat.isDirectory() && (stat.mode & 0o1000) !== 0
  if ((stat.mode & 0o022) !== 0 && !isSticky)
    throw new CliError(
      'usage',
      `Others can write to ${path}, and the configuration can name a command to run. Run: chmod go-w ${path}`,
    )
  if (stat.uid !== uid && stat.uid !== 0)
    throw new CliError(
      'usage',
      `${path} belongs to another user, and the configuration can name a command to run. Make it yours (chown).`,
    )
}

/** Reads the settings of a file. @throws CliError that names all faults */
export function parseConfig(path: string, bytes: Buffer, { env, home }: Pick<Machine, 'env' | 'home'>): Config {
  const fault = findJsonFault(bytes)
  if (fault !== undefined)
    throw new CliError(
      'usage',
      `${path}:${fault.line}:${fault.column}: The configuration is not JSON from here on. Correct it.`,
    )
  const text = bytes.toString().replace(/^\uFEFF/, '')
  const value: unknown = JSON.parse(text)
  if (!isPlainObject(value))
    throw new CliError('usage', `${path}: The configuration must be a JSON object, such as {"model": "ollama:qwen3"}.`)
  const { $schema: _schema, ...written } = value
  const members = withWholePaths(written, (named) =>
    named.startsWith('~/') ? join(home, named.slice(2)) : resolve(dirname(path), named),
  )
  const faults = faultsOfSettings(members, { text, env })
  if (faults.length > 0)
    throw new CliError(
      'usage',
      ['The configuration is not valid:', ...faults.map((one) => `${path}:${one}`)].join('\n'),
    )
  return members
}

/** The settings that are paths: below the home, or relative to the folder of the file. */
const PATHS: readonly SettingName[] = ['prompts', 'token-file']

const withWholePaths = (
  members: Readonly<Record<string, unknown>>,
  wholePath: (named: string) => string,
): Record<string, unknown> => ({
  ...members,
  ...Object.fromEntries(
    PATHS.flatMap((name) => {
      const named = members[name]
      return typeof named === 'string' && named.trim() !== '' ? [[name, wholePath(named)]] : []
    }),
  ),
})
