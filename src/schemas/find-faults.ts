import type { TSchema } from '@sinclair/typebox'
import { ValueErrorType, type ValueError, type ValueErrorIterator } from '@sinclair/typebox/errors'
import type { Fault } from '../errors.ts'
import { MUST_BE } from './typebox.ts'

/** The maximum number of faults in a problem: a body may have millions. */
export const MAX_FAULTS = 20

/**
 * Returns one fault for each wrong value, in the order of the values, at most 20. For a union, it reports only the faults
 * of the variant that the value is closest to (by its `type` or `role`), not those of every variant.
 * @param errors TypeBox's errors; their paths are JSON pointers (RFC 6901) from the root of the checked value
 */
export function findFaults(errors: ValueErrorIterator): Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of flatten(errors)) {
    // TypeBox reports a missing property twice: as missing, then as having the wrong type.
    if (!faults.has(error.path)) faults.set(error.path, { pointer: error.path, detail: describe(error) })
    if (faults.size === MAX_FAULTS) break
  }
  return [...faults.values()]
}

function* flatten(errors: ValueErrorIterator): Generator<ValueError> {
  for (const error of errors) {
    const variants = variantsOf(error.schema) ?? []
    const isUnion = error.type === ValueErrorType.Union
    const tag = isUnion ? findUnknownTag(variants, error) : undefined
    const inner = error.errors[isUnion ? pickVariant(variants, error.value) : -1]
    if (tag !== undefined) yield tag
    else if (inner === undefined) yield error
    else yield* flatten(inner)
  }
}

function describe(error: ValueError): string {
  if (error.type === ValueErrorType.ObjectRequiredProperty) return 'is required'
  return `must be ${describeSchema(error.schema)}`
}

/** Returns what a schema requires, as the end of "must be ...": `a string`, `an integer of at least 1`, `"full"`. */
function describeSchema(schema: TSchema): string {
  const words: unknown = schema[MUST_BE as unknown as string]
  if (typeof words === 'string') return words
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const variants = variantsOf(schema)
  if (variants !== undefined) return [...new Set(variants.map(describeSchema))].join(' or ')
  return TYPE_DESCRIPTIONS[schema['type'] as string]?.(schema) ?? 'of another type'
}

function variantsOf(schema: TSchema): TSchema[] | undefined {
  return schema['anyOf'] as TSchema[] | undefined
}

const TYPE_DESCRIPTIONS: Record<string, (schema: TSchema) => string> = {
  string: ({ minLength, maxLength }) =>
    (minLength ? 'a non-empty string' : 'a string') + atMost(maxLength as number | undefined, 'characters'),
  integer: (schema) => `an integer${range(schema)}`,
  number: (schema) => `a number${range(schema)}`,
  boolean: () => 'true or false',
  array: ({ minItems, maxItems }) =>
    minItems === undefined
      ? `an array${atMost(maxItems as number | undefined, 'values')}`
      : `an array of at least ${String(minItems)} value`,
  object: () => 'an object',
  null: () => 'null',
}

const atMost = (maximum: number | undefined, things: string): string =>
  maximum === undefined ? '' : ` of at most ${maximum} ${things}`

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` between ${String(minimum)} and ${String(maximum)}`
  if (minimum !== undefined) return ` of at least ${String(minimum)}`
  return maximum === undefined ? '' : ` of at most ${String(maximum)}`
}

/**
 * Returns the fault of an object whose discriminator is missing or in no variant, such as an unknown role; undefined if it is
 * known. The faults of any variant would mislead.
 */
function findUnknownTag(variants: readonly TSchema[], error: ValueError): ValueError | undefined {
  const { value, path } = error
  if (jsonType(value) !== 'object') return undefined
  const objects = variants.filter((variant) => variant['type'] === 'object')
  for (const name of DISCRIMINATORS) {
    const schemas = objects.map((variant) => (variant['properties'] as Record<string, TSchema>)[name])
    const known = schemas.map(constantsOf)
    const tag = (value as Record<string, unknown>)[name]
    if (objects.length < 2 || known.some((constants) => constants.every((one) => one === undefined))) continue
    if (tag === undefined) return { ...error, type: ValueErrorType.ObjectRequiredProperty, path: `${path}/${name}` }
    if (known.flat().includes(tag)) return undefined
    const schema = { anyOf: known.flat().map((one) => ({ const: one })) } as unknown as TSchema
    return { ...error, type: ValueErrorType.Union, path: `${path}/${name}`, schema, value: tag }
  }
  return undefined
}

/**
 * Returns the index of the variant that a wrong value is closest to: the only one of its JSON type, or the one with its
 * discriminator, or the last one of its JSON type; -1 if no variant has its JSON type, or if all that have it are constants.
 */
function pickVariant(variants: readonly TSchema[], value: unknown): number {
  const sameType = variants.flatMap((variant, index) => (variant['type'] === jsonType(value) ? [index] : []))
  if (sameType.length === 1) return sameType[0] ?? -1
  // None of several constants is closer than the others: the fault names all of them.
  if (sameType.every((index) => variants[index]?.const !== undefined)) return -1
  return sameType.find((index) => matchesDiscriminator(variants[index], value)) ?? sameType.at(-1) ?? -1
}

/** The fields that distinguish the variants of this contract's unions. */
const DISCRIMINATORS = ['type', 'role'] as const

function matchesDiscriminator(variant: TSchema | undefined, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const properties = (variant?.['properties'] ?? {}) as Record<string, TSchema>
  return DISCRIMINATORS.some((name) => {
    const tag = (value as Record<string, unknown>)[name]
    return tag !== undefined && constantsOf(properties[name]).includes(tag)
  })
}

function constantsOf(schema: TSchema | undefined): unknown[] {
  return schema === undefined ? [] : (variantsOf(schema) ?? [schema]).map((variant): unknown => variant.const)
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
