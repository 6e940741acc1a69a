/**
 * Moves each schema with a title to `components.schemas`, and each problem to `components.responses`, and leaves references in
 * their places. A generated client then has one named type for each.
 * @param document an OpenAPI document without references
 */
export function nameParts<T extends object>(document: T): T {
  const schemas: Record<string, Json> = {}
  const responses: Record<string, Json> = {}
  const hoist = (node: Json, key = ''): Json => {
    if (Array.isArray(node)) return node.map((one) => hoist(one))
    if (typeof node !== 'object' || node === null || key === 'examples' || key === 'example') return node
    const { title } = node
    const parts = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, hoist(value, name)]))
    if (typeof title === 'string' && isSchema(node)) {
      schemas[title] ??= parts
      return { $ref: `#/components/schemas/${title}` }
    }
    const name = problemOf(parts)
    if (name === undefined) return parts
    responses[name] ??= parts
    return { $ref: `#/components/responses/${name}` }
  }
  const { components, ...rest } = hoist(document as Json) as Record<string, Json>
  return { ...rest, components: { ...(components as object), schemas, responses } } as unknown as T
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Returns false for `info`, which has a title but is not a schema. */
const isSchema = (node: Record<string, Json>): boolean => 'type' in node || 'anyOf' in node

/** Returns the name of the error that a response has; undefined for other objects. */
function problemOf({ content }: Record<string, Json>): string | undefined {
  return /^\{"application\/(?:problem\+)?json":\{"schema":\{"\$ref":"[^"]*\/((?:Chat)?Problem\w*|AnthropicError\w*)"/.exec(
    JSON.stringify(content ?? null),
  )?.[1]
}
