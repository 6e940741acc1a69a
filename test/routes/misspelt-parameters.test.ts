import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { USE_CASES } from '../../src/use-cases/use-cases.ts'
import { startApp } from '../support/start-app.ts'

interface Document {
  paths: Record<string, { post?: { operationId: string; parameters?: { name: string; in: string }[] } }>
}

const { paths } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Document

/** The query parameters of each route, as clients know them. */
const PARAMETERS = USE_CASES.map(({ path }) => {
  const parameters = paths[path]?.post?.parameters?.filter((one) => one.in === 'query') ?? []
  return { path, names: parameters.map(({ name }) => name) }
})

const ALL = new Set(PARAMETERS.flatMap(({ names }) => names))

/** Returns a name as people misspell it: without a letter, with one twice, with two exchanged, and as in other languages. */
function misspell(name: string): string[] {
  const end = name.length - 1
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return [
    name.slice(0, end),
    name.slice(1),
    name + name.slice(end),
    name.slice(0, end - 1) + name.slice(end) + name.slice(end - 1, end),
    name.slice(1, 2) + name.slice(0, 1) + name.slice(2),
    name.toUpperCase(),
    ...(words.length <= name.length + 2 ? [words] : []),
  ].filter((one) => !ALL.has(one))
}

const MESSAGES = ['a', 'b', 'c'].map((content, at) => ({ role: at === 1 ? 'assistant' : 'user', content }))

const post = (app: FastifyInstance, url: string) => app.inject({ method: 'POST', url, payload: { messages: MESSAGES } })

t.test('the routes with query parameters are all there', async (t) => {
  t.same(
    PARAMETERS.filter(({ names }) => names.length > 0).map(({ path }) => path),
    USE_CASES.filter(({ body, query }) => 'forms' in body || query !== undefined).map(({ path }) => path),
  )
})

for (const { path, names } of PARAMETERS)
  t.test(`${path}: a misspelt query parameter is refused, and the error has the right name`, async (t) => {
    const { app } = await startApp(t)
    for (const name of names)
      for (const wrong of misspell(name)) {
        const { statusCode, body } = await post(app, `${path}?${wrong}=1`)
        t.equal(statusCode, 400, `${wrong} for ${name}`)
        const found = /The query parameter `(\w+)` is not known on this route; use `(\w+)`\./.exec(body) ?? []
        t.same(found.slice(1), [wrong, name])
      }
    // Others belong to other routes, or to nobody.
    const others = [...ALL].filter((name) => !names.includes(name))
    const unknown = [...others, 'user', 'page', 'v', 'api-version', 'constructor', '__proto__']
    const query = unknown.map((name) => `${name}=1`).join('&')
    t.notMatch((await post(app, `${path}?${query}`)).body, /is not known on this route/)
  })

t.test('so is the part of a form', async (t) => {
  const { app } = await startApp(t)
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const send = (name: string) =>
    app.inject({
      method: 'POST',
      url: '/recall',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: `${part('session', JSON.stringify(MESSAGES))}${part(name, 'a')}--b--\r\n`,
    })
  const { statusCode, json } = await send('quer')
  t.equal(statusCode, 400)
  t.match(json(), {
    detail: 'The part `quer` of the form is not known on this route; use `query`.',
    errors: [{ pointer: '/quer', detail: 'is not known on this route; use `query`' }],
  })
  t.equal((await send('query')).statusCode, 200)
})
