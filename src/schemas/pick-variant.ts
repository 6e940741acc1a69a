import type { TSchema } from '@sinclair/typebox'

/** The fields by which the unions of this contract are told apart. */
const DISCRIMINATORS = ['type', 'role'] as const

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

const constantsOf = (schema: TSchema | undefined): unknown[] =>
  schema === undefined
    ? []
    : ((schema['anyOf'] as TSchema[] | undefined) ?? [schema]).map((one) => one.const as unknown)

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
