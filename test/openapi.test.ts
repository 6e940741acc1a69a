import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import createClient from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'
import t from 'tap'
import { parse } from 'yaml'
import { listenApp, startApp } from './support/start-app.ts'

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  examples?: unknown[]
}

interface Document {
  paths: Record<string, { post?: { requestBody: { content: Record<string, { schema: Schema; example?: unknown }> } } }>
  components: { schemas: Record<string, Schema> }
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
  const page = await app.inject('/docs/')
  t.equal(page.statusCode, 200)
  t.notMatch(page.body, /(?:src|href)="(?:https?:)?\/\//)
})

/** The forms of a route's body, references followed. */
function formsOf(schema: Schema): Schema[] {
  const named = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
  return named?.anyOf?.flatMap(formsOf) ?? [named ?? {}]
}

for (const [path, { post }] of Object.entries(document.paths)) {
  if (post === undefined) continue
  t.test(`every example of POST ${path} is answered, and no part of it is ignored`, async (t) => {
    const { app } = await startApp(t)
    const { schema = {}, example } = post.requestBody.content['application/json'] ?? {}
    // A body of one form has its example beside the schema, one of several has it in each.
    const forms = example === undefined ? formsOf(schema) : [{ examples: [example] }]
    for (const { examples = [] } of forms) {
      t.equal(examples.length, 1, 'each form has one')
      for (const payload of examples as object[]) {
        const response = await app.inject({ method: 'POST', url: path, payload })
        t.equal(response.statusCode, 200)
        t.equal(response.json().report?.ignored, undefined)
      }
    }
  })
}

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
