import type { TSchema } from '@sinclair/typebox'
import { ValueErrorType, type ValueError, type ValueErrorIterator } from '@sinclair/typebox/errors'
import type { Fault } from '../errors.ts'
import { describeSchema } from './describe-schema.ts'
import { pickVariant } from './pick-variant.ts'

/** More faults than this help nobody, and a body may hold millions. */
export const MAX_FAULTS = 20

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

const variantsOf = (schema: TSchema): TSchema[] => (schema['anyOf'] as TSchema[] | undefined) ?? []

function describe(error: ValueError): string {
  if (error.type === ValueErrorType.ObjectRequiredProperty) return 'is required'
  return `must be ${describeSchema(error.schema)}`
}
