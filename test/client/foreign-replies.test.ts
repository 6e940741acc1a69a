import { readFileSync } from 'node:fs'
import t from 'tap'
import { createClient, type Client, type Fetch } from '../../src/client/client.ts'
import { REPLY_FORMS } from '../../src/schemas/format-ids.ts'
import { USE_CASES } from '../../src/use-cases/use-cases.ts'

/** Replies with the status 200 that other programs send. */
const FOREIGN = ['{}', '[]', 'null', '5', '"ok"', '', 'OK', '<html>', '{"status":"ok"}', '{"data":"{}","json":{"a":1}}']

const clientFor = (body: string, headers: Record<string, string> = {}, onPath?: (path: string) => void): Client => {
  const fetch: Fetch = async (url) => {
    onPath?.(new URL(url).pathname)
    return new Response(body, { headers })
  }
  return createClient({ url: 'http://precis.test', fetch })
}

const METHODS = Object.keys(clientFor('')).filter((name): name is Method => name !== 'compactTo')

type Method = Exclude<keyof Client, 'compactTo'>

/** Sends a request by a method of a client. A check of the union of all its methods would take minutes, and gigabytes. */
function call(client: Client, name: Method): Promise<unknown> {
  const methods: Record<Method, (body: string) => Promise<unknown>> = client
  return methods[name]('{}')
}

/** The parts of a schema that the test looks at. */
interface ReplySchema {
  required?: string[]
  properties: Record<string, { anyOf?: { type?: string }[] }>
}

/** The routes, without the types of their schemas: a check of their union would take minutes, and gigabytes. */
const ROUTES: readonly { path: string; operationId: string; reply: unknown }[] = USE_CASES

/** Returns the route of a method, with an example of its reply. */
async function routeOf(name: Method) {
  let called = ''
  await call(
    clientFor('{}', {}, (path) => (called = path)),
    name,
  ).catch(() => undefined)
  const useCase = ROUTES.find(({ path }) => path === called)!
  const example = new URL(`../../examples/api/${useCase.operationId}.reply.json`, import.meta.url)
  return { schema: useCase.reply as ReplySchema, example: JSON.parse(readFileSync(example, 'utf8')) }
}

const NOT_PRECIS = {
  name: 'PrecisError',
  type: 'not-precis',
  message: /^The reply does not come from Précis: HTTP 200/,
}

for (const name of METHODS)
  t.test(`${name}: a reply with status 200 that no service sends is an error that says so`, async (t) => {
    for (const body of FOREIGN) await t.rejects(call(clientFor(body), name), NOT_PRECIS, body)
    const { schema, example } = await routeOf(name)
    t.same(await call(clientFor(JSON.stringify(example)), name), example, 'the example of its route is a reply')
    for (const field of schema.required ?? []) {
      if (schema.properties[field]?.anyOf?.some(({ type }) => type === 'null') === true) continue
      const { [field]: value, ...others } = example
      for (const wrong of [undefined, null, typeof value === 'string' ? 5 : 'text', Array.isArray(value) ? {} : []]) {
        const body = JSON.stringify({ ...others, [field]: wrong })
        const message = new RegExp(`no \\w+ \`${field}\`\\. Check the URL of the service`)
        await t.rejects(call(clientFor(body), name), { ...NOT_PRECIS, message }, `${field}: ${JSON.stringify(wrong)}`)
      }
    }
  })

t.test('so is a reply in another form that does not say which form it is', async (t) => {
  for (const form of REPLY_FORMS.filter((one) => one !== 'json'))
    for (const body of FOREIGN) await t.rejects(clientFor(body).compactTo(form, '{}'), NOT_PRECIS, `${form} ${body}`)
})
