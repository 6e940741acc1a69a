import { readFileSync } from 'node:fs'
import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { errorFormatOf } from '../http/error-format.ts'
import { REPLY_EXAMPLES } from '../schemas/reply-examples.ts'
import { nameParts } from './name-parts.ts'
import { readProblemResponses } from './reply.ts'
import { describeSession } from './session-docs.ts'

const { version, description } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Record<'version' | 'description', string>

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
    transform: ({ schema, url, route }) => ({ schema: describeRoute(schema, url, route), url }),
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

type Responses = Record<string, Response>

interface Response {
  description?: string
  content?: Record<string, Media>
}

interface Media {
  schema?: { description?: string }
  example?: unknown
}

/** Returns what OpenAPI shows of a route: its own schema, and what follows from its policy and its path. */
function describeRoute(schema: FastifySchema, url: string, { config }: RouteOptions): FastifySchema {
  if (schema.hide === true) return schema
  const session = describeSession(url)
  const { body, querystring, response, ...others } = schema as FastifySchema & { body?: object; querystring?: object }
  const parameters = [session?.querystring, querystring].filter((one) => one !== undefined)
  const responses = describeReply(addProblems((response ?? {}) as Responses, url, config), url)
  return {
    operationId: operationIdOf(url),
    ...others,
    ...(config?.isProbe === true ? { security: [] } : {}),
    ...((session?.body ?? body) === undefined ? {} : { body: session?.body ?? body }),
    ...(parameters.length === 0 ? {} : { querystring: mergeObjects(parameters) }),
    response: responses,
  }
}

/** The names of the operations, which generated clients have as functions: a change of a name breaks their callers. */
const OPERATION_IDS: Readonly<Record<string, string>> = {
  '/compaction': 'compact',
  '/compaction/plan': 'planCompaction',
  '/prune': 'prune',
  '/context': 'rebuildContext',
  '/branch-summary': 'summarizeBranch',
  '/handoff': 'writeHandoff',
  '/v1/chat/completions': 'createChatCompletion',
  '/v1/responses': 'createResponse',
  '/v1/responses/compact': 'compactResponse',
  '/messages/v1/responses/compact': 'compactResponseToMessages',
  '/v1/messages': 'compactMessages',
  '/v1/compress': 'compressMessages',
  '/v1/models': 'listModels',
  '/v1/models/:id': 'retrieveModel',
  '/healthz': 'getHealth',
  '/readyz': 'getReadiness',
  '/metrics': 'getMetrics',
}

/** @throws Error for a route without a name, when the document is written */
function operationIdOf(url: string): string {
  const id = OPERATION_IDS[url]
  if (id === undefined) throw new Error(`OPERATION_IDS has no name for ${url}.`)
  return id
}

const mergeObjects = (schemas: readonly object[]): object => ({
  type: 'object',
  properties: Object.assign(
    {},
    ...schemas.map((schema) => ('properties' in schema ? schema.properties : {})),
  ) as object,
})

function addProblems(responses: Responses, url: string, config: RouteOptions['config']): Responses {
  if (Object.keys(responses).some((status) => status.startsWith('4'))) return responses
  const reads = Object.entries(readProblemResponses(errorFormatOf(url)))
  return {
    ...responses,
    ...Object.fromEntries(reads.filter(([status]) => config?.isProbe !== true || status !== '401')),
  }
}

/**
 * Adds the example of a route's reply. Events are in the description only: with a second content type, the types of generated
 * clients would not say whether the reply is an object or a text.
 */
function describeReply(responses: Responses, url: string): Responses {
  const { 200: ok } = responses
  if (ok === undefined) return responses
  const { description: text = 'The result.', content = { 'application/json': { schema: ok } } } = ok
  const { [EVENTS]: events, ...others } = content
  const description = events === undefined ? text : `${text} ${events.schema?.description ?? ''}`
  const example = REPLY_EXAMPLES[url]
  const shown = Object.entries(others).map(([type, media]): [string, Media] => [
    type,
    example === undefined ? media : { ...media, example },
  ])
  return { ...responses, 200: { description, content: Object.fromEntries(shown) } }
}

const EVENTS = 'text/event-stream'
