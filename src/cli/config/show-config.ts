import { fileURLToPath } from 'node:url'
import type { Environment } from '../../environment.ts'
import { ownFile } from '../../own-package.ts'
import { withoutControls } from '../../text/controls.ts'
import type { Cli } from '../cli.ts'
import { CliError } from '../exit.ts'
import type { Values } from '../read-arguments.ts'
import { isSet } from './apply-config.ts'
import { configPathOf, readConfigFile, type Config } from './config-file.ts'
import { SETTING_NAMES, settingNamed, type SettingName } from './settings-table.ts'

/** A setting that counts, as `precis config --json` prints it. */
interface ShownSetting {
  name: SettingName
  value: string | number | boolean | readonly string[] | null
  from: 'environment' | 'file' | 'default'
  /** The variable that it comes from. */
  variable?: string
}

/** `precis config`: shows which settings count without options, and where each comes from. */
export async function config(values: Values, [what]: readonly string[], cli: Cli): Promise<void> {
  const { terminal, env } = cli
  if (what !== undefined && what !== 'path')
    throw new CliError('usage', `precis config takes nothing, or path, not "${what}". Try: precis config --help`)
  if (what === 'path') return terminal.print(`${configPathOf(cli)}\n`)
  const file = readConfigFile(cli)
  const settings = SETTING_NAMES.map((name) => describe(name, file.config, env))
  const schema = fileURLToPath(ownFile('config.schema.json'))
  if (values['json'] === true) return terminal.printJson({ path: file.path, isThere: file.isThere, schema, settings })
  terminal.say(`Configuration file: ${file.path}${file.isThere ? '' : ' (there is none)'}`)
  terminal.say(`Its schema: ${schema}`)
  await terminal.print(settings.map(lineOf).join(''))
}

function describe(name: SettingName, file: Config, env: Environment): ShownSetting {
  const { variable, fallback, kind } = settingNamed(name)
  const shown = (value: NonNullable<ShownSetting['value']>) => (kind === 'url' ? withoutLogin(String(value)) : value)
  if (variable !== undefined && isSet(name, env))
    return { name, value: shown(env[variable] ?? ''), from: 'environment', variable }
  const value = file[name]
  if (value !== undefined) return { name, value: shown(value), from: 'file' }
  return { name, value: fallback ?? null, from: 'default' }
}

/** An address may have a password. */
function withoutLogin(address: string): string {
  const url = URL.parse(address)
  if (url === null || (url.username === '' && url.password === '')) return address
  return address.replace(/^[^/]*\/\/[^/]*@/.exec(address)?.[0] ?? '', `${url.protocol}//***@`)
}

const WIDTH = Math.max(...SETTING_NAMES.map((name) => name.length))

function lineOf({ name, value, from, variable }: ShownSetting): string {
  const text = value === null ? '-' : [value].flat().join(', ')
  const source = from === 'default' && value === null ? '' : `  (${variable ?? from})`
  return `${name.padEnd(WIDTH)}  ${withoutControls(text).replaceAll('\n', ' ')}${source}\n`
}
