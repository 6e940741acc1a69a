import { Type } from '@sinclair/typebox'

/** Returns the schema of a query with `include`, which every form of the body has: what the reply has in addition. */
export function includeSchema(parts: readonly string[], description: string) {
  const one = `(?:${parts.join('|')})`
  return Type.Object({ include: Type.Optional(Type.String({ pattern: `^${one}(?:,${one})*$`, description })) })
}
