import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'

/** An object schema whose static type lets unknown fields be read, as `unknown`. */
export interface OpenSchema<P extends TProperties> extends TSchema {
  static: Static<TObject<P>> & Record<string, unknown>
  properties: P
}

/** An object whose known fields are checked and whose unknown fields pass: clients grow new ones with each version. */
export const OpenObject = <P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string } = {},
): OpenSchema<P> => Type.Object(properties, { ...options, additionalProperties: true })

/** A string that is none of `known`: what tells an unknown variant of a union from a broken known one. */
export const StringOtherThan = (known: readonly string[]) => Type.String({ pattern: `^(?!(?:${known.join('|')})$)` })

/**
 * A field that clients leave out or write as `null` when they have nothing to say. A union is widened, not nested, so
 * that its variants can still be told apart.
 */
export const Nullish = <S extends TSchema>(schema: S) => {
  const variants = (schema['anyOf'] as [S] | undefined) ?? [schema]
  return Type.Optional(Type.Union([...variants, Type.Null()]))
}

/** A field that is always there and `null` where it says nothing. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** One of a few strings. */
export const oneOf = <const T extends string[]>(...values: T) =>
  Type.Union(values.map((value) => Type.Literal(value as T[number])))
