import { NO_EMPTY_ITEM, splitItems, type Environment } from '../../environment.ts'
import { faultOfModels } from '../../model-settings.ts'
import { PRESET_NAMES } from '../../presets.ts'
import { readReplaced } from '../../prompt/load-prompts.ts'
import { isHttpAddress } from '../../text/host-name.ts'
import { findValueStart, scanMembers } from '../../text/json-scan.ts'
import { nearName } from '../../text/near-name.ts'
import { parseCommands } from '../parse-command.ts'
import { isSetting, SETTING_NAMES, settingNamed, type Setting, type SettingName } from './settings-table.ts'

type Members = Readonly<Record<string, unknown>>

/** Returns what is wrong with the settings of a configuration file, each with its line. @param place.text the text of the file */
export function faultsOfSettings(members: Members, { text, env }: { text: string; env: Environment }): string[] {
  const placed = (name: string, faults: readonly string[]): string[] =>
    faults.map((one) => `${placeOf(name, text)}"${name}" ${one}`)
  return [
    ...Object.entries(members).flatMap(([name, member]) => placed(name, faultOf(name, member))),
    ...placed('model', faultOfModel(members, env)),
    ...placed('prompts', faultOfPrompts(members)),
    ...faultsTogether(members),
    ...repeatedNamesIn(text).map(({ name, line }) => `${line}: "${name}" is there already. Leave one of them.`),
  ]
}

/** Returns what is wrong with the model of a server; a program of `with` knows other names. */
function faultOfModel(members: Members, env: Environment): string[] {
  const { model, with: commands, 'base-url': url = env['OPENAI_BASE_URL'] } = members
  if (!isText(model) || commands !== undefined) return []
  const names = splitItems(model)
  if (names.includes('')) return [`${NO_EMPTY_ITEM}.`]
  const fault = faultOfModels(names)
  if (fault !== undefined) return [`${fault}.`]
  // Servers of others have models with a colon in their names.
  return url === undefined || url === '' ? names.flatMap(misspeltServer) : []
}

function misspeltServer(model: string): string[] {
  const [server = '', ...rest] = model.split(':')
  const meant = rest.length === 0 ? undefined : nearName(server, PRESET_NAMES)
  return meant === undefined || meant === server
    ? []
    : [
        `names a server "${server}". Did you mean "${[meant, ...rest].join(':')}"? The server of any other model is "base-url".`,
      ]
}

function faultOfPrompts({ prompts }: Members): string[] {
  if (!isText(prompts)) return []
  try {
    readReplaced(prompts)
    return []
  } catch (cause) {
    return [`${(cause as Error).message.replaceAll('\n', '\n  ')}.`]
  }
}

/** Returns the line of a member. */
function placeOf(name: string, text: string): string {
  const at = text.indexOf(JSON.stringify(name))
  return at < 0 ? ' ' : `${text.slice(0, at).split('\n').length}: `
}

function faultOf(name: string, value: unknown): string[] {
  if (isSetting(name)) {
    const { what, isRight } = ruleOf(settingNamed(name))
    return isRight(value) ? [] : [`must be ${what}.`]
  }
  const spelled = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-')
  const meant = nearName(spelled, SETTING_NAMES)
  const advice = meant === undefined ? `Settings are ${SETTING_NAMES.join(', ')}.` : `Did you mean "${meant}"?`
  return [`is not a setting. ${advice}`]
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
        isRight: (value) => isText(value) && isHttpAddress(value),
      }
    case 'text':
      return choices === undefined
        ? { what: 'a text', isRight: isText }
        : { what: `one of ${choices.join(', ')}`, isRight: (value) => choices.some((choice) => choice === value) }
  }
}

/** Returns the fault of the commands that write, or of the model beside them. */
function faultsOfCommands({ with: commands, model }: Members): string[] {
  const texts = [commands ?? []].flat().filter(isText)
  try {
    parseCommands(texts, isText(model) && texts.length > 0 ? model : undefined, { with: '"with"', model: '"model"' })
    return []
  } catch (cause) {
    return [` ${(cause as Error).message}`]
  }
}

/** Returns the faults of settings that have no meaning together. */
function faultsTogether(members: Members): string[] {
  const has = (name: SettingName): boolean => Object.hasOwn(members, name)
  return [
    ...(has('url') && (has('model') || has('with'))
      ? [' "url" excludes "model" and "with": the service has its model. Remove one of them.']
      : []),
    ...faultsOfCommands(members),
    ...(has('token-variable') && has('token-file') ? [' "token-variable" and "token-file" exclude each other.'] : []),
    ...((has('token-variable') || has('token-file')) && !has('url')
      ? [' A token needs "url", the service that it is for.']
      : []),
  ]
}

/** Returns the names that an object in valid JSON text has more than once, each with the line of its second place. */
function repeatedNamesIn(text: string): { name: string; line: number }[] {
  const seen = new Set<string>()
  const repeated: { name: string; line: number }[] = []
  scanMembers(text, findValueStart(text), {
    onMember: (_value, { start, end }) => {
      const name = JSON.parse(text.slice(start, end)) as string
      if (seen.has(name)) repeated.push({ name, line: text.slice(0, start).split('\n').length })
      seen.add(name)
    },
  })
  return repeated
}
