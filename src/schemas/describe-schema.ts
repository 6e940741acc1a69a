import type { TSchema } from '@sinclair/typebox'

/** Says what a schema wants, as the end of "must be ...": `a string`, `an integer of at least 1`, `"full"`. */
export function describeSchema(schema: TSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const variants = schema['anyOf'] as TSchema[] | undefined
  if (variants !== undefined) return [...new Set(variants.map(describeSchema))].join(' or ')
  return NAMES[schema['type'] as string]?.(schema) ?? 'of another type'
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

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` between ${String(minimum)} and ${String(maximum)}`
  if (minimum !== undefined) return ` of at least ${String(minimum)}`
  return maximum === undefined ? '' : ` of at most ${String(maximum)}`
}
