import { readdirSync, readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import createClient from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'
import t from 'tap'
import { parse } from 'yaml'
import { Value } from '@sinclair/typebox/value'
import { PROBLEMS } from '../src/errors.ts'
import { USE_CASES } from '../src/use-cases/use-cases.ts'
import { listenApp, startApp } from './support/start-app.ts'

interface Media {
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Operation {
  operationId: string
  security?: Record<string, string[]>[]
  requestBody: { content: Record<string, Media> }
  responses: Record<string, object>
}

interface Document {
  paths: Record<string, { get?: Operation; post?: Operation }>
  components: {
    schemas: Record<string, object>
    responses: Record<string, { content: Record<string, Media> }>
    securitySchemes: Record<string, { name?: string }>
  }
}

const committed = readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8')
const document = parse(committed) as Document

t.test('the committed contract is the one that the service tells, as YAML and as JSON', async (t) => {
  const { app } = await startApp(t)
  const yaml = await app.inject('/openapi.yaml')
  t.equal(yaml.body, committed)
  t.match(yaml.headers['content-type'], 'application/yaml')
  t.strictSame((await app.inject('/openapi.json')).json(), parse(committed))
})

t.test('it is OpenAPI 3.1', async (t) => {
  t.strictSame((await new Validator().validate(committed)).errors, undefined)
})

t.test('there is a page to try it on, which asks nobody else', async (t) => {
  const { app } = await startApp(t)
  const page = await app.inject('/docs')
  t.equal(page.statusCode, 200)
  t.notMatch(page.body, /(?:src|href)="(?:https?:)?\/\//)
})

t.test('the page has our name, and fits a phone', async (t) => {
  const { app } = await startApp(t)
  const { body } = await app.inject('/docs')
  t.match(body, '<title>Précis')
  t.match(body, '<meta name="viewport" content="width=device-width, initial-scale=1"')
  t.notMatch(body, /<title>Swagger|favicon-32x32/)
})

/** The forms of the routes with a session. Where examples are not their own, one has the session of another agent. */
const FORMS: Readonly<Record<string, string[]>> = Object.fromEntries(
  USE_CASES.flatMap(({ path, body }) =>
    'forms' in body
      ? [[path, [...Object.keys(body.forms), ...(body.ownExample === undefined ? ['session'] : [])]]]
      : [],
  ),
)

const noQuery: Readonly<Record<string, string>> = {
  '/branch-summary': '?fromId=e7&targetId=e9',
  '/context': '',
  '/recall': '?query=tag',
}

for (const [path, { post }] of Object.entries(document.paths)) {
  if (post === undefined) continue
  const { 'application/json': json = {}, 'application/x-ndjson': lines } = post.requestBody.content
  t.test(`each form of POST ${path} has an example, which is answered, and no part of it is ignored`, async (t) => {
    const { app } = await startApp(t)
    const examples = Object.values(json.examples ?? { one: { value: json.example } })
    t.same(Object.keys(json.examples ?? {}).sort(), [...(FORMS[path] ?? [])].sort())
    for (const { value } of examples) {
      const response = await app.inject({ method: 'POST', url: path, payload: value as object })
      t.ok([200, 202].includes(response.statusCode))
      t.equal(response.json().report?.ignored, undefined)
    }
    if (lines === undefined) return
    const response = await app.inject({
      method: 'POST',
      url: path + (noQuery[path] ?? '?keepRecentTokens=10'),
      headers: { 'content-type': 'application/x-ndjson' },
      payload: String(lines.examples?.['file']?.value),
    })
    t.ok([200, 202].includes(response.statusCode), 'as NDJSON')
  })
}

const operations = Object.entries(document.paths).flatMap(([path, { get, post }]) =>
  [get, post].flatMap((operation) => (operation === undefined ? [] : [[path, operation] as const])),
)

t.test('each operation has a name of its own, and an example of its reply', async (t) => {
  const ids = operations.map(([, { operationId }]) => operationId)
  t.equal(new Set(ids).size, ids.length)
  t.same(
    ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id)),
    [],
  )
  for (const [path, { responses }] of operations) {
    const { content } = responses['200'] as { content: Record<string, Media> }
    for (const media of Object.values(content)) t.ok('example' in media, path)
  }
})

t.test('the names of the operations stay: they are functions of generated clients', async (t) => {
  const published = {
    '/healthz': 'getHealth',
    '/readyz': 'getReadiness',
    '/metrics': 'getMetrics',
    '/compaction': 'compact',
    '/compaction/plan': 'planCompaction',
    '/compaction/compare': 'compareCompactions',
    '/branch-summary': 'summarizeBranch',
    '/handoff': 'writeHandoff',
    '/prune': 'prune',
    '/recall': 'recall',
    '/context': 'rebuildContext',
    '/v1/chat/completions': 'createChatCompletion',
    '/v1/responses': 'createResponse',
    '/v1/responses/compact': 'compactResponse',
    '/messages/v1/responses/compact': 'compactResponseToMessages',
    '/v1/messages': 'compactMessages',
    '/v1/compress': 'compressMessages',
    '/v1/models': 'listModels',
    '/v1/models/{id}': 'retrieveModel',
  }
  const names = new Map(operations.map(([path, { operationId }]) => [path, operationId]))
  t.same(Object.fromEntries(Object.keys(published).map((path) => [path, names.get(path)])), published)
})

const statusesOf = (path: string): string[] => {
  const { get, post } = document.paths[path] ?? {}
  return Object.keys((get ?? post)?.responses ?? {}).filter((status) => status !== '200')
}

t.test('a route lists the statuses that it sends, and no others', async (t) => {
  const reads = ['401', '403', '421', '429', '500', '503']
  t.same(statusesOf('/v1/models'), [...reads, 'default'])
  t.same(statusesOf('/v1/models/{id}'), [...reads, '404', 'default'].sort())
  const calls = ['400', '401', '403', '408', '413', '415', '421', '422', '424', '429', '500', '502', '503', '504']
  t.same(statusesOf('/v1/responses'), [...calls, '404', 'default'].sort())
  t.same(statusesOf('/v1/responses/compact'), [...calls, 'default'])
  t.same(statusesOf('/v1/messages'), [...calls, '404', 'default'].sort())
  t.same(
    statusesOf('/v1/compress'),
    [...calls, 'default'].filter((status) => !['422', '424', '502'].includes(status)),
  )
})

t.test('the errors of /v1/messages have the format of Anthropic, as they are sent', async (t) => {
  const { app } = await startApp(t)
  const { responses } = document.components
  for (const reference of Object.values(document.paths['/v1/messages']?.post?.responses ?? {}).slice(1)) {
    const { $ref = '' } = reference as { $ref?: string }
    const name = $ref.split('/').at(-1) ?? ''
    t.match(name, /^AnthropicError/)
    t.same(Object.keys(responses[name]?.content ?? {}), ['application/json'])
  }
  const sent = await app.inject({ method: 'POST', url: '/v1/messages', payload: { messages: [{ role: 'user' }] } })
  const { request_id: _id, ...error } = sent.json()
  const [example] = Object.values(responses['AnthropicErrorNotFound']?.content['application/json']?.examples ?? {})
  t.match(example?.value, { type: error.type, error: { type: error.error.type } })
})

t.test('events of other APIs do not depend on Accept', async (t) => {
  const isByAccept = (path: string): boolean =>
    JSON.stringify(document.paths[path]?.post?.responses['200'] ?? '').includes('text/event-stream')
  t.same(Object.keys(document.paths).filter(isByAccept).sort(), [
    '/branch-summary',
    '/compaction',
    '/compaction/compare',
    '/handoff',
  ])
})

t.test('every header with a token is a security scheme, which the routes of its clients list', async (t) => {
  const headers = Object.values(document.components.securitySchemes).flatMap(({ name }) => name ?? [])
  t.same(headers, ['X-Api-Key', 'X-Headroom-Token', 'X-Headroom-Proxy-Token'])
  const schemesOf = (path: string) => document.paths[path]?.post?.security?.flatMap((one) => Object.keys(one))
  t.same(schemesOf('/v1/messages'), ['bearer', 'apiKey'])
  t.same(schemesOf('/v1/compress'), ['bearer', 'headroomToken', 'headroomProxyToken'])
})

t.test('a session may be sent as a form', async (t) => {
  const isForm = (path: string): boolean =>
    Object.hasOwn(document.paths[path]?.post?.requestBody.content ?? {}, 'multipart/form-data')
  t.same(Object.keys(document.paths).filter(isForm).sort(), Object.keys(FORMS).sort())
})

const readExample = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../examples/api/${name}.json`, import.meta.url), 'utf8'))

for (const { path, operationId, body, reply } of USE_CASES)
  t.test(`the examples of a request to ${path} and of its reply have their schemas`, async (t) => {
    t.same([...Value.Errors(reply, readExample(`${operationId}.reply`))], [])
    const requests = !('forms' in body)
      ? [[body, operationId] as const]
      : body.ownExample === undefined
        ? Object.entries(body.forms).map(([form, schema]) => [schema, `session.${form}`] as const)
        : [[body.forms.entries, operationId] as const]
    for (const [schema, name] of requests) t.same([...Value.Errors(schema, readExample(name))], [], name)
  })

t.test('each file of examples/api is an example in the contract', async (t) => {
  const ids = operations.map(([, { operationId }]) => operationId)
  const forms = new Set(Object.values(FORMS).flat())
  const known = [
    'problems',
    ...ids.flatMap((id) => [id, `${id}.reply`]),
    ...[...forms].map((form) => `session.${form}`),
  ]
  const files = readdirSync(new URL('../examples/api/', import.meta.url))
  t.same(
    files.filter((file) => !known.some((name) => file === `${name}.json`)),
    [],
  )
  t.same(Object.keys(readExample('problems') as object).sort(), Object.keys(PROBLEMS).sort())
})

t.test('each status of a problem has a schema of its own, and an example for each type', async (t) => {
  const { responses } = document.components
  const statuses = Object.keys(responses).flatMap((name) => /^Problem(\d+)$/.exec(name)?.[1] ?? [])
  t.same(statuses.sort(), [
    '400',
    '401',
    '403',
    '404',
    '408',
    '409',
    '413',
    '415',
    '421',
    '422',
    '424',
    '429',
    '500',
    '502',
    '503',
    '504',
  ])
  const { examples = {} } = responses['Problem422']?.content['application/problem+json'] ?? {}
  t.same(Object.keys(examples), [
    'nothing-to-compact',
    'compaction-cancelled',
    'nothing-gained',
    'no-native-form',
    'unknown-format',
    'invalid-session',
  ])
})

t.test('the examples of errors are what the service sends', async (t) => {
  const { app } = await startApp(t, { settings: { bodyLimitBytes: 1000, tokens: ['secret-token'] } })
  const exampleOf = (name: string, type: string): unknown =>
    document.components.responses[name]?.content['application/problem+json']?.examples?.[type]?.value
  const messages = [{ role: 'user', content: 'x'.repeat(2000) }]
  const url = '/v1/responses/compact'
  const headers = { authorization: 'Bearer secret-token' }
  const tooLarge = await app.inject({ method: 'POST', url, headers, payload: { messages } })
  const withoutSizes = (problem: unknown): string => JSON.stringify(problem).replace(/[\d,]+ bytes/g, 'N bytes')
  t.equal(withoutSizes(tooLarge.json()), withoutSizes(exampleOf('ChatProblem413', 'body-too-large')))
  t.match(exampleOf('ChatProblem413', 'body-too-large'), { error: { code: 'context_length_exceeded' } })
  const refused = await app.inject({ method: 'POST', url, payload: {} })
  t.match(exampleOf('ChatProblem401', 'token-refused'), { error: { type: refused.json().error.type } })
  t.match(exampleOf('ChatProblem400', 'invalid-request'), { error: { param: 'messages.0.content' } })
})

t.test('only the replies of our own routes may begin with spaces', async (t) => {
  const isSpaced = (path: string): boolean =>
    JSON.stringify(document.paths[path]?.post?.responses ?? {}).includes('spaces')
  const paths = Object.keys(document.paths).filter(isSpaced)
  t.same(paths.sort(), ['/branch-summary', '/compaction', '/compaction/compare', '/handoff'])
})

t.test('every field of a session file is a query parameter', async (t) => {
  const { parameters } = document.paths['/compaction']?.post as unknown as {
    parameters: { name: string; in: string }[]
  }
  const names = new Set(parameters.map(({ name }) => name))
  for (const name of ['format', 'leafId', 'keepRecentTokens', 'customInstructions', 'context', 'preserveData', 'style'])
    t.ok(names.has(name), name)
})

t.test('a client can be generated from it, with a type for each named schema', async (t) => {
  const types = astToString(await openapiTS(committed))
  for (const name of Object.keys(document.components.schemas)) t.match(types, new RegExp(`\\b${name}:`), name)
})

interface Paths {
  '/compaction': {
    post: {
      requestBody: { content: { 'application/json': { prompt: string } } }
      responses: {
        200: { content: { 'application/json': { summary: string } } }
        default: { content: { 'application/problem+json': { type: string } } }
      }
    }
  }
}

t.test('an OpenAPI client works: replies as data, problems as errors', async (t) => {
  const { url } = await listenApp(t)
  const client = createClient<Paths>({ baseUrl: url })
  const good = await client.POST('/compaction', { body: { prompt: 'p' } })
  t.match(good.data, { summary: /A summary of the prompt/ })
  const bad = await client.POST('/compaction', { body: { prompt: '' } })
  t.match(bad.error, { type: 'urn:precis:problem:invalid-request' })
})
