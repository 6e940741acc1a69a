import t from 'tap'
import { Problem, SEE_ERRORS } from '../../src/errors.ts'
import { errorBody, errorFormatOf } from '../../src/http/error-format.ts'
import { startApp } from '../support/start-app.ts'

const formats: [url: string, format: string][] = [
  ['/v1/messages', 'anthropic'],
  ['/v1/messages/', 'anthropic'],
  ['/v1/messages/count_tokens?beta=true', 'anthropic'],
  ['/v1/messages?beta=true', 'anthropic'],
  ['/v1/messagesx', 'openai'],
  ['/v1/responses/x', 'openai'],
  ['/v1', 'openai'],
  ['/messages/v1/models', 'openai'],
  ['/v10/chat', 'problem'],
  ['/messages', 'problem'],
  ['/compaction?x=/v1/', 'problem'],
  ['*', 'problem'],
]

t.test('the path of a request decides the format of its errors', async (t) => {
  for (const [url, format] of formats) t.equal(errorFormatOf(url), format, url)
})

const openAi: [method: 'GET' | 'POST', url: string, status: number][] = [
  ['GET', '/v1/compress', 405],
  ['GET', '/v1/chat/completions', 405],
  ['POST', '/v1/embeddings', 404],
  ['GET', '/v1/responses/x', 404],
  ['GET', '/messages/v1/models', 404],
  ['GET', '/v1/%zz', 400],
]

for (const [method, url, status] of openAi)
  t.test(`${method} ${url}, which no route takes, is ${status} with OpenAI's error`, async (t) => {
    const { app } = await startApp(t)
    const response = await app.inject({ method, url })
    const { error, ...problem } = response.json()
    t.match(response.headers['content-type'], 'application/problem+json')
    t.match(problem, { status, type: /^urn:precis:problem:/ })
    t.same(error, {
      message: problem.detail,
      type: 'invalid_request_error',
      param: null,
      code: problem.type.split(':').at(-1).replaceAll('-', '_'),
    })
  })

t.test("below /v1/messages, errors have Anthropic's format, whether or not there is a route", async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'] } })
  const errorOf = async (method: 'GET' | 'POST', url: string, token?: string) => {
    const response = await app.inject({ method, url, headers: token === undefined ? {} : { 'x-api-key': token } })
    t.match(response.headers['content-type'], /^application\/json/)
    const { request_id: id, ...body } = response.json()
    t.ok(id)
    return [response.statusCode, body]
  }
  const error = (type: string, message: string | RegExp) => ({ type: 'error', error: { type, message } })
  t.same(await errorOf('GET', '/v1/messages', 'one'), [
    405,
    error('invalid_request_error', 'This route needs POST, not GET.'),
  ])
  t.same(await errorOf('POST', '/v1/messages/count_tokens', 'one'), [
    404,
    error('not_found_error', 'Unknown route. See GET /openapi.json.'),
  ])
  t.match(await errorOf('POST', '/v1/messages/batches'), [401, error('authentication_error', /service token/)])
})

const messageOf = (problem: Problem): [string, string, unknown] => {
  const { error } = errorBody(problem, 'openai') as { error: { message: string; param: unknown } }
  const other = errorBody(problem, 'anthropic') as typeof error & { error: { message: string } }
  return [error.message, other.error.message, error.param]
}

t.test('a message names each fault, and does not point to a field that its format does not have', async (t) => {
  const faults = [
    { pointer: '/messages/0/role', detail: 'is required' },
    { pointer: '/max_tokens', detail: 'must be an integer' },
  ]
  const invalid = new Problem('invalid-request', `The request body is not valid.${SEE_ERRORS}`, { faults })
  const text = 'The request body is not valid. messages.0.role: is required; max_tokens: must be an integer'
  t.same(messageOf(invalid), [text, text, 'messages.0.role'])
  t.match(errorBody(invalid, 'openai'), { detail: /See `errors`/, errors: faults })
})

t.test('a fault of the whole body has no name, and is in the message once', async (t) => {
  const faults = [{ pointer: '', detail: 'must be an object' }]
  const text = 'The request body is not valid. The body must be an object'
  const invalid = new Problem('invalid-request', `The request body is not valid.${SEE_ERRORS}`, { faults })
  t.same(messageOf(invalid), [text, text, null])
  const broken = 'The request body is not valid JSON: it ends at line 1, column 3, before its value is complete.'
  const body = new Problem('invalid-request', broken, { faults: [{ pointer: '', detail: 'must be valid JSON' }] })
  t.same(messageOf(body), [broken, broken, null])
})

t.test('the texts of refused bodies are whole sentences in both formats', async (t) => {
  const { app } = await startApp(t)
  const messageFor = async (url: string, payload: string) => {
    const headers = { 'content-type': 'application/json' }
    return (await app.inject({ method: 'POST', url, headers, payload })).json().error.message
  }
  for (const url of ['/v1/messages', '/v1/chat/completions']) {
    t.equal(
      await messageFor(url, '{"'),
      'The request body is not valid JSON: it ends at line 1, column 3, before its value is complete.',
      url,
    )
    t.match(
      await messageFor(url, '{"messages":[{"role":"human","content":"x"}],"max_tokens":0}'),
      /^The request body is not valid\. messages\.0\.role: must be "[^;]*; max_tokens: must be an integer of at least 1/,
      url,
    )
    t.equal(await messageFor(url, '[]'), 'The request body is not valid. The body must be an object', url)
  }
})
