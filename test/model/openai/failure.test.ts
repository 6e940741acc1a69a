import t from 'tap'
import { type FailureKind, modelProblem } from '../../../src/model/openai/failure.ts'

const problemOf = (...kinds: FailureKind[]) =>
  modelProblem(kinds.map((kind, index) => ({ model: `m${index}`, failure: { kind } })))

const TYPES: [kinds: FailureKind[], type: string][] = [
  [['refused-key'], 'model-misconfigured'],
  [['no-credit'], 'model-misconfigured'],
  [['unknown-model'], 'model-misconfigured'],
  [['refused-key', 'unknown-model', 'no-credit'], 'model-misconfigured'],
  [['refused-key', 'server-error'], 'model-failed'],
  [['too-long'], 'prompt-too-large'],
  [['too-long', 'small-window'], 'prompt-too-large'],
  [['unknown-model', 'too-long'], 'prompt-too-large'],
  [['too-long', 'server-error'], 'model-failed'],
  [['empty'], 'model-failed'],
  [['refused', 'truncated', 'stalled'], 'model-failed'],
]

for (const [kinds, type] of TYPES)
  t.test(`${kinds.join(' and ')} make ${type}`, async (t) => {
    t.equal(problemOf(...kinds).type, type)
  })

t.test('the detail names each candidate, and the cause is the last thrown error', async (t) => {
  const cause = new Error('upstream text')
  const problem = modelProblem([
    { model: 'a', failure: { kind: 'server-error', status: 503, cause } },
    { model: 'b', failure: { kind: 'empty' } },
  ])
  t.equal(problem.message, 'a: the model server failed (HTTP 503); b: the reply had no text.')
  t.equal(problem.cause, cause)
})

t.test('a server without a connection is described as unreachable', async (t) => {
  const failure = { kind: 'dropped', unreachable: 'ECONNREFUSED' } as const
  t.equal(modelProblem([{ model: 'a', failure }]).message, 'a: the model server cannot be reached (ECONNREFUSED).')
})

t.test('a problem that a retry does not solve ends with a remedy', async (t) => {
  t.equal(
    problemOf('refused-key').message,
    'm0: the model server rejected the API key. Check the API key and the model names in the configuration of the service.',
  )
})

t.test('without a thrown error there is no cause', async (t) => {
  t.notOk('cause' in problemOf('empty'))
})
