import { fieldsOf } from '../session/entry.ts'
import { nearName } from '../text/near-name.ts'
import type { Tool } from './tools.ts'

/** Returns what is wrong with the names and the chosen words in the arguments of a call; undefined for other faults, and for none. */
export function describeArgumentFault({ properties }: Pick<Tool, 'properties'>, args: unknown): string | undefined {
  const names = Object.keys(properties)
  for (const [name, value] of Object.entries(fieldsOf(args))) {
    const schema = properties[name]
    if (schema === undefined) {
      const meant = nearName(name, names)
      const hint = meant === undefined ? '' : `, did you mean ${meant}?`
      return `There is no argument ${quote(name)}${hint || '.'} The arguments are ${names.join(', ')}.`
    }
    const allowed = wordsOf(schema) ?? wordsOf(fieldsOf(fieldsOf(schema)['items']))
    const wrong = [value].flat().find((one) => typeof one === 'string' && allowed?.includes(one) === false)
    if (allowed !== undefined && typeof wrong === 'string')
      return `${name} must be ${Array.isArray(value) ? 'a list of' : 'one of'} ${allowed.join(', ')}, not ${quote(wrong)}.`
  }
  return undefined
}

/** The words that a value can be; undefined if it can be others. */
function wordsOf(schema: object): readonly string[] | undefined {
  const words: unknown = fieldsOf(schema)['enum']
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : undefined
}

/** Longer names are data. */
const MAX_NAME_CHARACTERS = 60

const quote = (name: string): string => JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS).toWellFormed())
