import { readFileSync } from 'node:fs'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { DOCS_PAGE_POLICY } from '../http/check-origin.ts'
import { UNKNOWN_ROUTE } from '../http/unknown-routes.ts'
import type { Route } from './route.ts'

const { version, description } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Record<'version' | 'description', string>

/** Collects the schemas of all routes that are registered after this call, for the OpenAPI document. */
export async function collectSchemas(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Précis', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      tags: [
        { name: 'compaction', description: 'Routes that write or plan summaries' },
        { name: 'session', description: 'Routes for sessions that need no model' },
        { name: 'operations', description: 'Routes for operators' },
      ],
    },
    transformObject: (document) => nameSchemas('openapiObject' in document ? document.openapiObject : {}),
  })
}

/**
 * `GET /openapi.json`, `/openapi.yaml` and `/docs`: the OpenAPI document, generated from the routes' own schemas. `GET /`
 * sends browsers to `/docs`.
 */
export const docsRoutes: Route = () => async (app) => {
  await app.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: DOCS_PAGE_POLICY })
  const hidden = { schema: { hide: true } }
  app.get('/', hidden, async (request, reply) => {
    // Only browsers name HTML; programs accept everything, or JSON.
    if (!request.headers.accept?.includes('text/html')) throw new Problem('not-found', UNKNOWN_ROUTE)
    return reply.redirect('docs')
  })
  app.get('/openapi.json', hidden, async () => app.swagger())
  app.get('/openapi.yaml', hidden, async (_request, reply) =>
    reply
      .type('application/yaml')
      .serializer(String)
      .send(app.swagger({ yaml: true })),
  )
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * Moves each schema with a title to `components.schemas` and leaves a reference in its place. A generated client then has
 * one named type for it.
 * @param document an OpenAPI document without references
 */
function nameSchemas<T extends object>(document: T): T {
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

/** Returns false for `info`, which has a title but is not a schema. */
function isSchema(node: Record<string, Json>): boolean {
  return 'type' in node || 'anyOf' in node
}

function mapValues(object: Record<string, Json>, map: (value: Json) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}
