import { Problem, type ProblemType } from '../../errors.ts'
import { describeFailure, type Failure, type FailureKind } from './failure.ts'

/** Failures that no retry helps: somebody has to mend the configuration. */
const MISCONFIGURED = new Set<FailureKind>(['refused-key', 'unknown-model'])

/**
 * Makes one problem of what became of each candidate (api.md, "Errors"). Its detail says it in our words: an upstream's
 * own text never reaches a client.
 */
export function modelProblem(failures: readonly { model: string; failure: Failure }[]): Problem {
  const told = failures.map(({ model, failure }) => `${model} ${describeFailure(failure)}`)
  return new Problem(typeOf(failures.map(({ failure }) => failure.kind)), `${told.join('; ')}.`)
}

function typeOf(kinds: readonly FailureKind[]): ProblemType {
  if (kinds.every((kind) => MISCONFIGURED.has(kind))) return 'model-misconfigured'
  // One that called it too long decides, where the others are no help anyway.
  const isTooLong = kinds.includes('too-long') && kinds.every((kind) => kind === 'too-long' || MISCONFIGURED.has(kind))
  return isTooLong ? 'prompt-too-large' : 'model-failed'
}
