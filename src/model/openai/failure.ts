import { Problem, type ProblemType } from '../../errors.ts'

/** What can go wrong with one call, in our words: nothing of an upstream's text goes further than this. */
export type FailureKind =
  | 'refused-key'
  | 'no-credit'
  | 'unknown-model'
  | 'too-long'
  | 'small-window'
  | 'rate-limited'
  | 'server-error'
  | 'bad-request'
  | 'dropped'
  | 'stalled'
  | 'malformed'
  | 'empty'
  | 'truncated-thinking'
  | 'truncated'
  | 'over-limit'
  | 'refused'

export interface Failure {
  kind: FailureKind
  status?: number
  /** How long the server asks to wait. */
  retryAfterMs?: number
  /** The context window that the server named, in tokens. */
  reportedWindowTokens?: number
  /** What was thrown. It may quote a prompt, so it is for a debugger and never for a log. */
  cause?: unknown
}

const WORDS: Record<FailureKind, string> = {
  'refused-key': 'refused our key',
  'no-credit': 'has no credit left for our key',
  'unknown-model': 'is unknown to the model server',
  'too-long': 'called the prompt too long',
  'small-window': 'was not asked, its context window being smaller still',
  'rate-limited': 'limited our rate',
  'server-error': 'failed',
  'bad-request': 'refused the request',
  dropped: 'dropped the connection',
  stalled: 'did not answer in time',
  malformed: 'answered with something that is no chat completion',
  empty: 'answered with no text',
  'truncated-thinking': 'spent the output limit thinking',
  truncated: 'ran out of room in mid-summary',
  'over-limit': 'wrote more than the limit allows',
  refused: 'refused to answer',
}

/** What became of a candidate, to follow its name in a problem's detail: `failed (HTTP 503)`. */
export function describeFailure({ kind, status }: Failure): string {
  return status === undefined ? WORDS[kind] : `${WORDS[kind]} (HTTP ${status})`
}

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
/** A call was ended because it had had its share of the time. */
export class CallTimeout extends Error {
  constructor() {
    super('The call had its share of the time.')
    this.name = 'CallTimeout'
  }
}
