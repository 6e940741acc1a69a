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

t.test('the detail tells of each candidate, and the last thing thrown is the cause', async (t) => {
  const cause = new Error('upstream text')
  const problem = modelProblem([
    { model: 'a', failure: { kind: 'server-error', status: 503, cause } },
    { model: 'b', failure: { kind: 'empty' } },
  ])
  t.equal(problem.message, 'a failed (HTTP 503); b answered with no text.')
  t.equal(problem.cause, cause)
})

t.test('where nothing was thrown there is no cause', async (t) => {
  t.notOk('cause' in problemOf('empty'))
})
