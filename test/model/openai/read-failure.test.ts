import t from 'tap'
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { type FailureKind, CallTimeout } from '../../../src/model/openai/failure.ts'
import { readFailure, readRetryAfterMs } from '../../../src/model/openai/read-failure.ts'

const answered = (status: number, body = '', headers: Record<string, string> = {}) =>
  APIError.generate(status, { error: { message: body } }, undefined, new Headers(headers))

const STATUSES: [status: number, body: string, kind: FailureKind][] = [
  [400, 'Invalid schema', 'bad-request'],
  [400, '{"message":"Invalid model: x","type":"invalid_model","code":"1500"}', 'unknown-model'],
  [400, '{"error":{"message":"nothing/such is not a valid model ID","code":400}}', 'unknown-model'],
  [400, '{"error":{"code":"context_length_exceeded"}}', 'too-long'],
  [401, '', 'refused-key'],
  [402, '', 'no-credit'],
  [403, '', 'refused-key'],
  [404, '', 'unknown-model'],
  [408, '', 'server-error'],
  [409, '', 'server-error'],
  [413, '', 'too-large'],
  [413, '<html>413 Request Entity Too Large</html>', 'too-large'],
  [413, 'prompt is too long', 'too-long'],
  [422, '{"detail":[{"msg":"field required"}]}', 'bad-request'],
  [429, '', 'rate-limited'],
  [429, '{"error":{"type":"insufficient_quota"}}', 'no-credit'],
  [429, 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.', 'rate-limited'],
  [429, 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389.', 'too-long'],
  [500, '', 'server-error'],
  [500, 'the request exceeds the available context size. try increasing the context size', 'too-long'],
  [502, '', 'server-error'],
  [529, 'overloaded_error', 'server-error'],
  [418, '', 'bad-request'],
]

for (const [status, body, kind] of STATUSES)
  t.test(`${status} ${body} is ${kind}`, async (t) => {
    const error = answered(status, body)
    t.strictSame(readFailure(error, 0), { kind, status, cause: error })
  })

t.test('the failure has the wait that the server asks for', async (t) => {
  const error = answered(503, '', { 'retry-after': '3' })
  t.strictSame(readFailure(error, 0), { kind: 'server-error', status: 503, cause: error, retryAfterMs: 3000 })
})

const THROWN: [error: Error, kind: FailureKind][] = [
  [new APIConnectionError({ message: 'Connection error.' }), 'dropped'],
  [new APIConnectionTimeoutError(), 'dropped'],
  [new TypeError('terminated'), 'dropped'],
  [new SyntaxError('Unexpected end of JSON input'), 'malformed'],
  [new CallTimeout(), 'stalled'],
]

for (const code of ['ECONNREFUSED', 'ENOTFOUND'])
  t.test(`${code} means that the server cannot be reached`, async (t) => {
    const cause = new APIConnectionError({ cause: Object.assign(new Error('connect'), { code }) })
    t.strictSame(readFailure(cause, 0), { kind: 'dropped', cause, unreachable: code })
  })

for (const [cause, kind] of THROWN)
  t.test(`${cause.name} "${cause.message}" is ${kind}`, async (t) => {
    t.strictSame(readFailure(cause, 0), { kind, cause })
  })

const NOW = Date.parse('2026-11-20T12:00:00Z')

const HEADERS: [headers: Record<string, string>, ms: number | undefined][] = [
  [{}, undefined],
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': '600' }, 600_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:59:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
  [{ 'retry-after-ms': '-1' }, 0],
  [{ 'retry-after-ms': 'x', 'retry-after': '7' }, 7000],
]

for (const [headers, ms] of HEADERS)
  t.test(`${JSON.stringify(headers)} asks for ${ms ?? 'nothing'}`, async (t) => {
    t.equal(readRetryAfterMs(new Headers(headers), NOW), ms)
  })
