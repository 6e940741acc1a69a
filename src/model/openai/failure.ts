/** What can go wrong with one call, in our words: nothing of an upstream's text goes further than this. */
export type FailureKind =
  | 'refused-key'
  | 'unknown-model'
  | 'too-long'
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
}

/** One failure as part of a problem's detail: `HTTP 503`, `an empty answer`. */
export function describeFailure({ kind, status }: Failure): string {
  return status === undefined ? WORDS[kind] : `${WORDS[kind]} (HTTP ${status})`
}

const WORDS: Record<FailureKind, string> = {
  'refused-key': 'refused our key',
  'unknown-model': 'does not know the model',
  'too-long': 'called the prompt too long',
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
