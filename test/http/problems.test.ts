import t from 'tap'
import { Problem } from '../../src/errors.ts'
import { toProblem } from '../../src/http/problems.ts'

const problem = new Problem('nothing-to-compact', 'nothing')

const cases: [name: string, error: unknown, type: string][] = [
  ['a problem stays itself', problem, 'nothing-to-compact'],
  ['Fastify: body over the limit', { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }, 'body-too-large'],
  [
    'Fastify: unknown media type',
    { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 },
    'unsupported-media-type',
  ],
  ['compress: unknown content encoding', { statusCode: 415 }, 'unsupported-media-type'],
  [
    'any other fault of the request',
    { code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH', statusCode: 400 },
    'invalid-request',
  ],
  ['a fault of ours', new TypeError('secret text'), 'internal'],
  ['a thrown string', 'secret text', 'internal'],
]

for (const [name, error, type] of cases)
  t.test(name, async (t) => {
    const found = toProblem(error)
    t.equal(found.type, type)
    t.notMatch(found.message, /secret/)
  })

t.test('a broken compression is named', async (t) => {
  t.equal(
    toProblem({ code: 'FST_CP_ERR_INVALID_CONTENT', statusCode: 400 }).message,
    'The body cannot be decompressed: it is broken, or not in the format that Content-Encoding names. Send it again, or correct the header.',
  )
})
