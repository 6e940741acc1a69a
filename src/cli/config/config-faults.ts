import { nearName } from '../../text/near-name.ts'
import { parseCommands } from '../parse-command.ts'
import { isSetting, SETTING_NAMES, settingNamed, type Setting, type SettingName } from './settings-table.ts'

type Members = Readonly<Record<string, unknown>>

/** Returns what is wrong with the settings of a configuration file, each with its line. */
export const faultsOfSettings = (members: Members, text: string): string[] => [
  ...Object.entries(members).flatMap(([name, member]) =>
    faultOf(name, member).map((one) => `${placeOf(name, text)}${one}`),
  ),
  ...faultsTogether(members),
]

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
