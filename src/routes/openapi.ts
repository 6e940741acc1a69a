import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { readPackage } from '../own-package.ts'

const { version, description } = readPackage()

/** Collects the schemas of all routes that are registered after this call, for the OpenAPI document. */
export async function collectSchemas(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Précis', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [
        { url: '/', description: 'The service that this document comes from' },
        { url: 'http://127.0.0.1:8080', description: 'The default address' },
      ],
      tags: [
        { name: 'compaction', description: 'Routes that write or plan summaries' },
        { name: 'session', description: 'Routes for sessions that need no model' },
        { name: 'operations', description: 'Routes for operators' },
      ],
      // Without PRECIS_TOKENS, no token is needed.
      security: [{ bearer: [] }, {}],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transformObject: (document) => nameParts('openapiObject' in document ? document.openapiObject : {}),
  })
}

const tokenHeader = (name: string, clients: string) => ({
  type: 'apiKey' as const,
  in: 'header',
  name,
  description: `A service token, as ${clients} send it. All routes read it.`,
})

/** Each route lists those that its clients send: a generated client sends the token in every header that is listed. */
const SECURITY_SCHEMES = {
  // With a second scheme for the same header, the clients of hey-api send that one.
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'A service token (`PRECIS_TOKENS`). It may also be the password of Basic authentication, with any user name.',
  },
  apiKey: tokenHeader('X-Api-Key', 'clients of Anthropic’s API'),
  headroomToken: tokenHeader('X-Headroom-Token', 'gateways that call a compressor'),
  headroomProxyToken: tokenHeader('X-Headroom-Proxy-Token', 'gateways that call a compressor'),
}

/**
 * Moves each schema with a title to `components.schemas`, and each problem to `components.responses`, and leaves references in
 * their places. A generated client then has one named type for each.
 * @param document an OpenAPI document without references
 */
function nameParts<T extends object>(document: T): T {
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
