import type { TProperties } from '@sinclair/typebox'
import type { Fault } from '../errors.ts'
import { fieldsOf } from '../session/entry.ts'
import { nearName } from '../text/near-name.ts'
import { groupOf } from './count-ignored.ts'

/**
 * Returns the faults of fields that are likely meant for others: a field of a group (`settings`) beside it, and one in it whose
 * name is nearly that of another one. Without its field, a request gets a reply that looks right. Other unknown fields are ignored.
 */
export function findMisnamed(body: unknown, properties: TProperties): Fault[] {
  const fields = fieldsOf(body)
  const beside = Object.keys(fields).flatMap((name) => {
    const group = groupWith(name, properties)
    return group === undefined ? [] : [{ pointer: `/${name}`, detail: `belongs in \`${group}\`` }]
  })
  return [...beside, ...Object.keys(properties).flatMap((group) => findMisspelt(fields[group], group, properties))]
}

/** Returns the group that has a field of this name, unless the form itself has one. */
export const groupWith = (name: string, properties: TProperties): string | undefined =>
  Object.hasOwn(properties, name)
    ? undefined
    : Object.keys(properties).find((group) => Object.hasOwn(groupIn(properties, group), name))

function groupIn(properties: TProperties, name: string): TProperties {
  const schema = properties[name]
  return schema === undefined ? {} : groupOf(schema)
}

function findMisspelt(value: unknown, group: string, properties: TProperties): Fault[] {
  const known = Object.keys(groupIn(properties, group))
  return Object.keys(fieldsOf(value)).flatMap((name) => {
    const meant = known.includes(name) ? undefined : nearName(name, known)
    return meant === undefined
      ? []
      : [{ pointer: `/${group}/${escapeName(name)}`, detail: `is not known; use \`${meant}\`` }]
  })
}

/** Returns a name as a part of a JSON pointer (RFC 6901). */
const escapeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
