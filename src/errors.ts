/** One fault of a request: where it is (RFC 6901 JSON pointer) and what is wrong. */
export interface Fault {
  pointer: string
  detail: string
  /** The query parameter that has the fault; then `pointer` begins with it, and points into no body. */
  parameter?: string
}

interface ProblemRow {
  status: number
  title: string
  retryAfterSeconds?: number
}

/**
 * All problems that this service replies with (docs/errors.md). `title` is also the HTTP reason phrase, and some clients show
 * their user nothing else: keep it short, ASCII, and true for every use of the type.
 */
export const PROBLEMS = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  'foreign-origin': { status: 403, title: 'Origin not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'no-model': { status: 404, title: 'No model server; only summaries are written' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'token-refused': { status: 401, title: 'Service token missing or wrong' },
  'request-timeout': { status: 408, title: 'The body arrived too slowly' },
  // oh-my-pi halves its window and tries again if the reason phrase of a 413 says so (docs/clients.md, measured on 18.2.3).
  'body-too-large': { status: 413, title: 'Body too large (context_length_exceeded)' },
  'prompt-too-large': { status: 413, title: 'Prompt too large (context_length_exceeded)' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'expectation-failed': { status: 417, title: 'Expectation failed' },
  'wrong-host': { status: 421, title: 'Host not allowed' },
  'not-prepared': { status: 409, title: 'No prepared summary can be used' },
  'nothing-to-compact': { status: 422, title: 'Nothing to compact' },
  'nothing-to-compare': { status: 422, title: 'No summary to compare with' },
  'compaction-cancelled': { status: 422, title: 'The compaction was cancelled by a rule of this service' },
  'nothing-gained': { status: 422, title: 'The compaction would save nothing' },
  'no-native-form': { status: 422, title: 'This session cannot be written back' },
  'unknown-format': { status: 422, title: 'Unknown session format' },
  'invalid-session': { status: 422, title: 'Invalid session' },
  'model-misconfigured': { status: 424, title: 'The model server refused this service; a retry does not help' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'model-failed': { status: 502, title: 'The model server gave no usable summary' },
  overloaded: { status: 503, title: 'Overloaded', retryAfterSeconds: 5 },
  draining: { status: 503, title: 'Shutting down', retryAfterSeconds: 5 },
  'deadline-exceeded': { status: 504, title: 'Deadline exceeded' },
  internal: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, ProblemRow>

/** The end of a detail that names no fault itself. It is left out where a reply has no `errors`. */
export const SEE_ERRORS = ' See `errors` for each fault.'

/** The beginning of the detail for a session file without a valid line: the type of this problem has other causes too. */
export const NO_JSON_LINE = 'No line of the NDJSON body is valid JSON.'

/** The beginning of the detail for a body without content. */
export const EMPTY_BODY = 'The request body is empty.'

/** The remedy of a client without a body. */
export const SEND_BODY = ' Send a JSON or NDJSON body.'

/** The end of the detail for a body that has none of the fields by which a form is known. */
export const NO_FORM = 'it has none of them'

/** Says that a document ends too early. */
export const BEFORE_END = 'before its value is complete'

/** Returns a detail about a part of a request that names its first fault, and where the others are. */
export function namingFault(start: string, faults: readonly Fault[]): string {
  const [first, ...others] = faults
  return `${start}${first === undefined ? '.' : endOf(first)}${others.length > 0 ? SEE_ERRORS : ''}`
}

/** Returns the beginning of such a detail, for a reader who gets the list of faults with it; any other detail as it is. */
export function withoutFault(detail: string, [first]: readonly Fault[]): string {
  const named = detail.endsWith(SEE_ERRORS) ? detail.slice(0, -SEE_ERRORS.length) : detail
  const end = first === undefined ? '' : endOf(first)
  return end !== '' && named.endsWith(end) ? `${named.slice(0, -end.length)}.` : named
}

const endOf = ({ pointer, detail }: Fault): string => `: ${pointer === '' ? 'it' : pointer} ${detail}.`

export type ProblemType = keyof typeof PROBLEMS

export type ProblemFacts = Readonly<Record<string, string | number>>

/** An error for the client. `detail` and `faults` never contain text of a body, a key, or text of a model server. */
export class Problem extends Error {
  readonly type: ProblemType
  readonly faults: readonly Fault[]
  /** Names, codes and counts for the log line of the request; never content. */
  readonly facts: ProblemFacts
  /** The HTTP status; that of the table by default. */
  readonly status: number

  constructor(
    type: ProblemType,
    detail: string,
    options: {
      faults?: readonly Fault[]
      cause?: unknown
      status?: number
      facts?: ProblemFacts
    } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Problem'
    this.type = type
    this.faults = options.faults ?? []
    this.facts = options.facts ?? {}
    this.status = options.status ?? PROBLEMS[type].status
  }
}

/** Returns the problem of a query parameter that has a fault. */
export const wrongParameter = (name: string, detail: string): Problem =>
  new Problem('invalid-request', `The query parameter \`${name}\` ${detail}.`, {
    faults: [{ pointer: `/${name}`, detail, parameter: name }],
  })

/** Returns the problem of a query parameter that is there several times, and is no list. */
export const repeatedParameter = (name: string, { length }: readonly unknown[]): Problem =>
  wrongParameter(name, `is there ${length === 2 ? 'twice' : `${length} times`}, and must be there only once`)
