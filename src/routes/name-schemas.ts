type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * Moves each schema that has a title to `components.schemas` and leaves a reference in its place, so that a generated
 * client has one named type for it and the document holds it once.
 * @param document an OpenAPI document without references
 */
export function nameSchemas<T extends object>(document: T): T {
  const named: Record<string, Json> = {}
  const hoist = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(hoist)
    if (typeof node !== 'object' || node === null) return node
    const { title } = node
    if (typeof title !== 'string' || !isSchema(node)) return mapValues(node, hoist)
    named[title] ??= mapValues(node, hoist)
    return { $ref: `#/components/schemas/${title}` }
  }
  const { components, ...rest } = mapValues(document as Record<string, Json>, hoist)
  return { ...rest, components: { ...(components as object), schemas: named } } as unknown as T
}

/** `info` has a title too. */
const isSchema = (node: Record<string, Json>): boolean => 'type' in node || 'anyOf' in node

const mapValues = (object: Record<string, Json>, map: (value: Json) => Json): Record<string, Json> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
