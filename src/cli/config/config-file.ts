import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Machine } from '../../agents/home.ts'
import { findJsonFault } from '../../ingest/find-json-fault.ts'
import { nearName } from '../../text/near-name.ts'
import { CliError } from '../exit.ts'
import { isSetting, SETTING_NAMES, settingNamed, type Setting, type SettingName } from './settings-table.ts'

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
  return { path, isThere: true, config: parseConfig(path, bytes) }
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
    const { message } = cause as Error
    throw new CliError(
      'usage',
      `The configuration file ${path} cannot be read: ${message}. Correct it, or use --no-config.`,
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
export function parseConfig(path: string, bytes: Buffer): Config {
  const fault = findJsonFault(bytes)
  if (fault !== undefined)
    throw new CliError(
      'usage',
      `${path}:${fault.line}:${fault.column}: The configuration is not JSON from here on. Correct it.`,
    )
  const text = bytes.toString().replace(/^\uFEFF/, '')
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError('usage', `${path}: The configuration must be a JSON object, such as {"model": "ollama:qwen3"}.`)
  const { $schema: _schema, ...members } = value as Record<string, unknown>
  const faults = [
    ...Object.entries(members).flatMap(([name, member]) =>
      faultOf(name, member).map((one) => `${placeOf(name, text)}${one}`),
    ),
    ...faultsTogether(members),
  ]
  if (faults.length > 0)
    throw new CliError(
      'usage',
      ['The configuration is not valid:', ...faults.map((one) => `${path}:${one}`)].join('\n'),
    )
  return members
}

/** Returns the line of a member. */
function placeOf(name: string, text: string): string {
  const at = text.indexOf(JSON.stringify(name))
  return at < 0 ? ' ' : `${text.slice(0, at).split('\n').length}: `
}

function faultOf(name: string, value: unknown): string[] {
  if (isSetting(name)) {
    const { what, isRight } = ruleOf(settingNamed(name))
    return isRight(value) ? [] : [`"${name}" must be ${what}.`]
  }
  const spelled = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-')
  const meant = nearName(spelled, SETTING_NAMES)
  const advice = meant === undefined ? `Settings are ${SETTING_NAMES.join(', ')}.` : `Did you mean "${meant}"?`
  return [`"${name}" is not a setting. ${advice}`]
}

interface Rule {
  what: string
  isRight: (value: unknown) => boolean
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function ruleOf({ kind, choices, least = 0, most = 999_999_999 }: Setting): Rule {
  switch (kind) {
    case 'count':
      return {
        what: `a whole number from ${least} to ${most}`,
        isRight: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
      }
    case 'flag':
      return { what: 'true or false', isRight: (value) => typeof value === 'boolean' }
    case 'texts':
      return {
        what: 'a text, or a list of texts',
        isRight: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
      }
    case 'url':
      return {
        what: 'an address that begins with http:// or https://',
        isRight: (value) => isText(value) && /^https?:\/\//i.test(value) && URL.parse(value) !== null,
      }
    case 'text':
      return choices === undefined
        ? { what: 'a text', isRight: isText }
        : { what: `one of ${choices.join(', ')}`, isRight: (value) => choices.includes(String(value)) }
  }
}

/** Returns the faults of settings that have no meaning together. */
function faultsTogether(members: Readonly<Record<string, unknown>>): string[] {
  const has = (name: SettingName): boolean => Object.hasOwn(members, name)
  return [
    ...(has('url') && (has('model') || has('with'))
      ? [' "url" excludes "model" and "with": the service has its model. Remove one of them.']
      : []),
    ...(has('token-variable') && has('token-file') ? [' "token-variable" and "token-file" exclude each other.'] : []),
    ...((has('token-variable') || has('token-file')) && !has('url')
      ? [' A token needs "url", the service that it is for.']
      : []),
  ]
}
