import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import { isMessageList } from '../agents/native.ts'
import { repeatedParameter, wrongParameter } from '../errors.ts'
import type { FormatId } from '../schemas/format.ts'
import { fieldsOf, isObject, jsonOrText } from '../session/entry.ts'
import { findMisplaced, groupOf } from './count-ignored.ts'

export type Query = Readonly<Record<string, unknown>>

/**
 * Returns the parts that the query parameter `include` asks for, and the other parameters. All forms of the body have this
 * parameter.
 * @throws Problem `invalid-request`
 */
export function readInclude<T extends string>(
  { include: value, ...others }: Query,
  parts: readonly T[],
): { include: ReadonlySet<T>; others: Query } {
  if (value === undefined) return { include: new Set(), others }
  const names = [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : ['']))
  const include = new Set(parts.filter((part) => names.includes(part)))
  if (names.every((one) => parts.some((part) => part === one))) return { include, others }
  const several = parts.length > 1 ? ', or several of them with commas between them' : ''
  throw wrongParameter('include', `must be ${parts.join(' or ')}${several}`)
}

/**
 * Returns the fields of a document from the query string. Fields of `settings` and of other groups have no prefix there.
 * Numbers, booleans and objects are parsed if the schema has that type; an invalid value stays text, which the schema
 * rejects.
 * @param properties the fields of the form
 * @param read receives the names of the parameters that are read
 */
export function readQueryFields(query: Query, properties: TProperties, read: Set<string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(query, name)) {
      fields[name] = readValue(onlyOne(name, query[name], schema), schema)
      read.add(name)
      continue
    }
    const group = readQueryFields(query, groupOf(schema), read)
    if (Object.keys(group).length > 0) fields[name] = group
  }
  return fields
}

/** Returns the names of the parameters for the fields of a form: fields of its groups have no prefix. */
export const parametersFor = (properties: TProperties): string[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const group = Object.keys(groupOf(schema))
    return group.length === 0 ? [name] : group
  })

/**
 * Returns the names of parameters, by the pointers of the fields that they are in the body's form: of those that were read; of all,
 * if the body is a session file, beside which a field that is missing can only be a parameter.
 * @param properties the fields of the form
 */
export function fieldsOfParameters(
  read: ReadonlySet<string>,
  properties: TProperties,
  isFile = false,
): Map<string, string> {
  const pointers = new Map<string, string>()
  for (const [field, schema] of Object.entries(properties)) {
    const group = Object.keys(groupOf(schema))
    if (read.has(field) || (isFile && group.length === 0)) pointers.set(`/${field}`, field)
    else for (const name of group) if (isFile || read.has(name)) pointers.set(`/${field}/${name}`, name)
  }
  return pointers
}

/** Returns the value of a parameter. @throws Problem if it is there several times, and is no list */
function onlyOne(name: string, value: unknown, { type }: TSchema): unknown {
  if (!Array.isArray(value) || type === 'array') return value
  throw repeatedParameter(name, value)
}

function readValue(value: unknown, schema: TSchema): unknown {
  if (schema['type'] === 'array') return Array.isArray(value) ? value : [value]
  if (typeof value !== 'string') return value
  switch (schema['type']) {
    case 'integer':
    case 'number':
    case 'boolean':
    case 'object':
      return jsonOrText(value)
    default:
      return value
  }
}

/** A query string, and the form whose fields it may have. */
interface QueryFields {
  query: Query
  properties: TProperties
  /** Receives the names of the parameters that are read. */
  read: Set<string>
}

/** Returns the fields of a JSON body, and those of the query string that neither it nor a group in it has. */
export function addQueryFields(body: Record<string, unknown>, { query, properties, read }: QueryFields): object {
  const groups = Object.entries(properties).flatMap(([name, schema]) =>
    Object.keys(groupOf(schema)).length > 0 ? [name] : [],
  )
  const known = new Set([body, ...groups.map((name) => fieldsOf(body[name]))].flatMap(Object.keys))
  const others = Object.fromEntries(Object.entries(query).filter(([name]) => !known.has(name)))
  const found = readQueryFields(others, properties, read)
  const merged = groups.filter((name) => isObject(found[name]) && isObject(body[name]))
  return {
    ...found,
    ...body,
    ...Object.fromEntries(merged.map((name) => [name, { ...fieldsOf(found[name]), ...fieldsOf(body[name]) }])),
  }
}

/**
 * Returns the fields of a document that a form has, but for those to which its agent gives another meaning. A list of messages is
 * a request that its client has written: it may have a setting at the wrong place, which is a fault.
 */
export function readDocumentFields(document: unknown, properties: TProperties, format: FormatId | undefined): object {
  const { ownFields = [] }: Partial<Agent> = format === undefined ? {} : AGENTS[format]
  const isList = format !== undefined && isMessageList(format)
  const isField = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(properties, name)
      ? !ownFields.includes(name)
      : isList && findMisplaced(name, value, properties) !== undefined
  return Object.fromEntries(Object.entries(fieldsOf(document)).filter(isField))
}
