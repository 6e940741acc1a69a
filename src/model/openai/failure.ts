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
  toldWindowTokens?: number
  /** What was thrown. It may quote a prompt, so it is for a debugger and never for a log. */
  cause?: unknown
}

/** What became of a candidate, to follow its name in a problem's detail: `failed (HTTP 503)`. */
export function describeFailure({ kind, status }: Failure): string {
  return status === undefined ? WORDS[kind] : `${WORDS[kind]} (HTTP ${status})`
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
