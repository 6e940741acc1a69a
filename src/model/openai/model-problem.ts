import { Problem, type ProblemType } from '../../errors.ts'
import { describeFailure, type Failure, type FailureKind } from './failure.ts'

/** What became of a candidate that gave no summary. */
export interface CandidateFailure {
  model: string
  failure: Failure
}

/** Failures that no retry helps: somebody has to mend the configuration. */
const MISCONFIGURED = new Set<FailureKind>(['refused-key', 'no-credit', 'unknown-model'])

/** Failures that a shorter prompt helps. */
const TOO_LONG = new Set<FailureKind>(['too-long', 'small-window'])

/**
 * Makes one problem of what became of each candidate (docs/contract.md, "Errors"). Its detail says it in our words: an upstream's
 * own text never reaches a client. The last thing that was thrown is its cause.
 */
export function modelProblem(failures: readonly CandidateFailure[]): Problem {
  const told = failures.map(({ model, failure }) => `${model} ${describeFailure(failure)}`)
  const cause = failures.findLast(({ failure }) => failure.cause !== undefined)?.failure.cause
  return new Problem(typeOf(failures.map(({ failure }) => failure.kind)), `${told.join('; ')}.`, { cause })
}

function typeOf(kinds: readonly FailureKind[]): ProblemType {
  if (kinds.every((kind) => MISCONFIGURED.has(kind))) return 'model-misconfigured'
  // A candidate that cannot be asked at all is no reason to keep from the client that a shorter prompt would do.
  return kinds.every((kind) => TOO_LONG.has(kind) || MISCONFIGURED.has(kind)) ? 'prompt-too-large' : 'model-failed'
}
