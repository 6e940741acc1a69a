import type { TSchema } from '@sinclair/typebox'
import { ValueErrorType, type ValueError, type ValueErrorIterator } from '@sinclair/typebox/errors'
import type { Fault } from '../errors.ts'

/** More faults than this help nobody, and a body may hold millions. */
export const MAX_FAULTS = 20

const variantsOf = (schema: TSchema): TSchema[] => (schema['anyOf'] as TSchema[] | undefined) ?? []

/**
 * Turns TypeBox's complaints into one fault for each wrong value, at most 20. Of a union only the variant that the
 * value means to be (by its `type` or `role`) is heard, so a bad block does not yield a complaint for each kind of block.
 * @returns faults in the order of the value, pointers by RFC 6901 from the value's root
 */
export function findFaults(errors: ValueErrorIterator): Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of flatten(errors)) {
    // TypeBox tells a missing property twice: as missing, then as having the wrong type.
    if (!faults.has(error.path)) faults.set(error.path, { pointer: error.path, detail: describe(error) })
    if (faults.size === MAX_FAULTS) break
  }
  return [...faults.values()]
}

function* flatten(errors: ValueErrorIterator): Generator<ValueError> {
  for (const error of errors) {
    const variant = error.type === ValueErrorType.Union ? pickVariant(variantsOf(error.schema), error.value) : -1
    const inner = error.errors[variant]
    if (inner === undefined) yield error
    else yield* flatten(inner)
  }
}

function describe(error: ValueError): string {
  if (error.type === ValueErrorType.ObjectRequiredProperty) return 'is required'
  return `must be ${describeSchema(error.schema)}`
}

const NAMES: Record<string, (schema: TSchema) => string> = {
  string: (schema) => ((schema['minLength'] as number | undefined) ? 'a string that is not empty' : 'a string'),
  integer: (schema) => `an integer${range(schema)}`,
  number: (schema) => `a number${range(schema)}`,
  boolean: () => 'true or false',
  array: () => 'an array',
  object: () => 'an object',
  null: () => 'null',
}

/** Says what a schema wants, as the end of "must be ...": `a string`, `an integer of at least 1`, `"full"`. */
export function describeSchema(schema: TSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const variants = schema['anyOf'] as TSchema[] | undefined
  if (variants !== undefined) return [...new Set(variants.map(describeSchema))].join(' or ')
  return NAMES[schema['type'] as string]?.(schema) ?? 'of another type'
}

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` between ${String(minimum)} and ${String(maximum)}`
  if (minimum !== undefined) return ` of at least ${String(minimum)}`
  return maximum === undefined ? '' : ` of at most ${String(maximum)}`
}

/** The fields by which the unions of this contract are told apart. */
const DISCRIMINATORS = ['type', 'role'] as const

const constantsOf = (schema: TSchema | undefined): unknown[] =>
  schema === undefined
    ? []
    : ((schema['anyOf'] as TSchema[] | undefined) ?? [schema]).map((one) => one.const as unknown)

/**
 * Finds the variant of a union that a bad value means to be: the one whose discriminator matches, or the only one of
 * the value's JSON type.
 * @returns the variant's index, or -1 where nothing tells
 */
export function pickVariant(variants: readonly TSchema[], value: unknown): number {
  const sameType = variants.flatMap((variant, index) => (variant['type'] === jsonType(value) ? [index] : []))
  if (sameType.length === 1) return sameType[0] ?? -1
  return sameType.find((index) => matchesDiscriminator(variants[index], value)) ?? sameType.at(-1) ?? -1
}

function matchesDiscriminator(variant: TSchema | undefined, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const properties = (variant?.['properties'] ?? {}) as Record<string, TSchema>
  return DISCRIMINATORS.some((name) => {
    const tag = (value as Record<string, unknown>)[name]
    return tag !== undefined && constantsOf(properties[name]).includes(tag)
  })
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
