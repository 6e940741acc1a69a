import {
  Type,
  type NumberOptions,
  type Static,
  type StringOptions,
  type TObject,
  type TProperties,
  type TSchema,
} from '@sinclair/typebox'
import { MAX_LINE_CHARACTERS, PLAIN_LINE } from '../text/plain-line.ts'

/** An object schema whose static type allows unknown fields to be read, as `unknown`. The types of the package name it. */
export interface OpenSchema<P extends TProperties> extends TSchema {
  static: Static<TObject<P>> & Record<string, unknown>
  properties: P
}

/**
 * Returns the schema of an object whose known fields are checked and whose unknown fields are accepted: each version of
 * a client may add fields.
 */
export const OpenObject = <P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string } = {},
): OpenSchema<P> => Type.Object(properties, { ...options, additionalProperties: true })

/**
 * Returns the schema of the `type` or `role` of a union's last variant, which accepts every value that no other variant
 * has. Its static type is a literal that no real value equals, so that a `switch` over the union narrows.
 * @param known the values of the other variants: a malformed object with one of them is rejected, not taken for unknown
 */
export const StringOtherThan = (known: readonly string[]) =>
  Type.Unsafe<'(any other)'>(Type.String({ pattern: `^(?!(?:${known.join('|')})$)` }))

/**
 * Returns the schema of a field that clients omit or write as `null`. `null` is added to the variants of a union, not
 * wrapped around it, so that a fault can still be assigned to the variant that was meant.
 */
export const Nullish = <S extends TSchema>(schema: S) => {
  const variants = (schema['anyOf'] as [S] | undefined) ?? [schema]
  return Type.Optional(Type.Union([...variants, Type.Null()]))
}

/** Returns the schema of a field that is always present and may be `null`. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Returns the schema of a string that has one of a few values. */
export const oneOf = <const T extends string[]>(...values: T) =>
  Type.Union(values.map((value) => Type.Literal(value as T[number])))

/** Returns the schema of a string that has one of a few values, with a description that says what they mean. */
export const describedOneOf = <const T extends string[]>(description: string, ...values: T) =>
  Type.Union(
    values.map((value) => Type.Literal(value as T[number])),
    { description },
  )

/** Returns the schema of a text with a description. */
export const Text = (description: string, limits: StringOptions = {}) => Type.String({ ...limits, description })

/** Returns the schema of an integer with a description. */
export const Integer = (description: string, limits: NumberOptions = {}) => Type.Integer({ ...limits, description })

/** Returns the schema of a number with a description. */
export const Numeric = (description: string, limits: NumberOptions = {}) => Type.Number({ ...limits, description })

/** Returns the schema of a boolean with a description. */
export const Flag = (description: string) => Type.Boolean({ description })

/** Returns the schema of a value that is not read, or read only to be refused. */
export const Anything = (description: string) => Type.Unknown({ description })

/** The condition for a value, in words, where its schema does not say it. A symbol is not in the OpenAPI document. */
export const MUST_BE = Symbol('must be')

/** Returns the schema of one line of plain text that can be in a summary: it opens no tag, heading, list, quote or fence. */
export const PlainLine = (options: { description: string }) =>
  Type.String({
    ...options,
    maxLength: MAX_LINE_CHARACTERS,
    pattern: PLAIN_LINE,
    [MUST_BE]: `one line of 1 to ${MAX_LINE_CHARACTERS} characters, without \`<\` and invisible characters, and without white space or a mark of Markdown at its beginning`,
  })

/** The description of `tool_choice` in requests of other APIs. */
export const FREE_CHOICE =
  'Must be absent, or allow an answer without a call (`auto`, `none`): this service calls no tools.'

/** Returns the schema of a query with `include`, which every form of the body has: what the reply has in addition. */
export function includeSchema(parts: readonly string[], description: string) {
  const one = `(?:${parts.join('|')})`
  return Type.Object({ include: Type.Optional(Type.String({ pattern: `^${one}(?:,${one})*$`, description })) })
}
