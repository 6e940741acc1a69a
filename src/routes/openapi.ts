import { readFileSync } from 'node:fs'
import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'
import { REPLY_EXAMPLES } from '../schemas/reply-examples.ts'
import { readProblemResponses, tokenNotFoundResponse } from './reply.ts'
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
      components: {
        securitySchemes: {
          // With a second scheme for the same header, the clients of hey-api send that one.
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A service token (`PRECIS_TOKENS`). It may also be the password of Basic authentication, with any user name.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ schema: describeRoute(schema, url, route), url }),
    transformObject: (document) => nameParts('openapiObject' in document ? document.openapiObject : {}),
  })
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
function describeRoute(schema: FastifySchema, url: string, { method, config }: RouteOptions): FastifySchema {
  if (schema.hide === true) return schema
  const session = describeSession(url)
  const { body, querystring, response, ...others } = schema as FastifySchema & { body?: object; querystring?: object }
  const parameters = [session?.querystring, querystring].filter((one) => one !== undefined)
  const responses = describeReply(addProblems((response ?? {}) as Responses, config), url)
  return {
    operationId: operationIdOf(String(method), url),
    ...others,
    ...(config?.isProbe === true ? { security: [] } : {}),
    ...((session?.body ?? body) === undefined ? {} : { body: session?.body ?? body }),
    ...(parameters.length === 0 ? {} : { querystring: mergeObjects(parameters) }),
    response: responses,
  }
}

/** The names of the operations, which generated clients have as functions. */
const OPERATION_IDS: Readonly<Record<string, string>> = {
  '/compaction': 'compact',
  '/compaction/plan': 'planCompaction',
  '/prune': 'prune',
  '/context': 'rebuildContext',
  '/branch-summary': 'summarizeBranch',
  '/handoff': 'writeHandoff',
  '/v1/chat/completions': 'createChatCompletion',
  '/healthz': 'getHealth',
  '/readyz': 'getReadiness',
  '/metrics': 'getMetrics',
}

/** Other routes are named by their method and path: `postV1Responses`. */
const operationIdOf = (method: string, url: string): string =>
  OPERATION_IDS[url] ??
  method.toLowerCase() + url.replace(/[^a-z0-9]+([a-z0-9])?/gi, (_all, letter: string = '') => letter.toUpperCase())

const mergeObjects = (schemas: readonly object[]): object => ({
  type: 'object',
  properties: Object.assign(
    {},
    ...schemas.map((schema) => ('properties' in schema ? schema.properties : {})),
  ) as object,
})

function addProblems(responses: Responses, config: RouteOptions['config']): Responses {
  const { 401: refused, ...others } = responses
  if (config?.tokenRefusedStatus === 404 && refused !== undefined)
    return { ...others, 404: tokenNotFoundResponse(isChat(refused) ? ChatProblemSchema : ProblemSchema) }
  if (Object.keys(responses).some((status) => status.startsWith('4'))) return responses
  const reads = Object.entries(readProblemResponses).filter(([status]) => config?.isProbe !== true || status !== '401')
  return { ...responses, ...Object.fromEntries(reads) }
}

const isChat = (response: Response): boolean => JSON.stringify(response).includes('"title":"ChatProblem')

/**
 * Adds the example of a route's reply. Events are in the description only: with a second content type, the types of generated
 * clients would not say whether the reply is an object or a text.
 */
function describeReply(responses: Responses, url: string): Responses {
  const { 200: ok } = responses
  if (ok === undefined) return responses
  const { description: text = 'The result.', content = { 'application/json': { schema: ok } } } = ok
  const { [EVENTS]: events, ...others } = content
  const description =
    events === undefined ? text : `${text} For \`Accept: ${EVENTS}\`: ${events.schema?.description ?? ''}`
  const example = REPLY_EXAMPLES[url]
  const shown = Object.entries(others).map(([type, media]): [string, Media] => [
    type,
    example === undefined ? media : { ...media, example },
  ])
  return { ...responses, 200: { description, content: Object.fromEntries(shown) } }
}

const EVENTS = 'text/event-stream'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

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

/** Returns false for `info`, which has a title but is not a schema. */
const isSchema = (node: Record<string, Json>): boolean => 'type' in node || 'anyOf' in node

/** Returns the name of the problem that a response has; undefined for other objects. */
function problemOf({ content }: Record<string, Json>): string | undefined {
  return /^\{"application\/problem\+json":\{"schema":\{"\$ref":"[^"]*\/(\w+)"/.exec(
    JSON.stringify(content ?? null),
  )?.[1]
}
