import { Problem, type ProblemType } from '../../errors.ts'
import { shownLines } from '../commands/printed-lines.ts'
import { defined } from '../../text/defined.ts'
import { count } from '../../text/numbers.ts'
import type { UnreachableServer } from '../summarizer.ts'

/** The kinds of failure of one call. They are also metric labels. */
export type FailureKind =
  | 'refused-key'
  | 'no-credit'
  | 'unknown-model'
  | 'too-long'
  | 'too-large'
  | 'small-window'
  | 'rate-limited'
  | 'server-error'
  | 'bad-request'
  | 'dropped'
  | 'stalled'
  | 'foreign-redirect'
  | 'malformed'
  | 'reply-too-large'
  | 'empty'
  | 'refused-in-words'
  | 'asked-back'
  | 'repetitive'
  | 'unrelated'
  | 'no-summary'
  | 'truncated-thinking'
  | 'truncated'
  | 'over-limit'
  | 'refused'
  | 'no-program'
  | 'no-login'
  | 'command-failed'
  | 'command-timeout'
  | 'unread-prompt'
  | 'wrong-output'
  | 'too-many-calls'

export interface Failure {
  kind: FailureKind
  status?: number
  /** Set when a `dropped` connection was never established: the code of the error, such as `ECONNREFUSED`. */
  unreachable?: string
  /** Of a command: its exit code, or the signal that ended it. */
  exit?: string
  /** Of a command: what it has printed, without secrets. It is for the user who named the command, and must never be logged. */
  printed?: string
  /** The wait that the server asks for. */
  retryAfterMs?: number
  /** The context window in the server's error text, in tokens. */
  reportedWindowTokens?: number
  /** Of a prompt that does not fit: the window that the server has shown by rejecting a longer one, in tokens. */
  learnedWindowTokens?: number
  /** The thrown error. It may quote a prompt, so it is for a debugger and must never be logged. */
  cause?: unknown
}

/** Our own wordings: an upstream's text never reaches a client. */
const WORDINGS: Record<FailureKind | 'unreachable', string> = {
  'refused-key': 'the model server rejected the API key',
  'no-credit': 'the account of the API key has no credit left',
  'unknown-model': 'the model server does not know this model',
  'too-long': 'the model server rejected the prompt as too long',
  'too-large': 'the model server, or a proxy before it, rejected the request as too large',
  'small-window': 'not called, because the prompt does not fit into its context window',
  'rate-limited': 'the model server limited the rate of requests',
  'server-error': 'the model server failed',
  'bad-request': 'the model server rejected the request',
  unreachable: 'the model server cannot be reached',
  dropped: 'the connection to the model server broke',
  stalled: 'the model server did not answer in time',
  'foreign-redirect':
    'the model server redirects to another origin, where no prompt is sent: OPENAI_BASE_URL must be the final address',
  malformed: 'the reply was not a usable chat completion',
  'reply-too-large': 'the reply was larger than 4 MiB',
  empty: 'the reply had no text',
  'refused-in-words': 'the model refused to answer, in its own words',
  'asked-back': 'the model asked a question instead of answering',
  repetitive: 'the answer repeats itself over and over',
  unrelated: 'the answer has nothing in common with the prompt',
  'no-summary': 'the answer is too short for a summary, and lacks the sections that it must have, or is the prompt',
  'truncated-thinking': 'the model used up the output limit for thinking',
  truncated: 'the summary was cut off at the output limit',
  'over-limit': 'the summary was longer than the output limit',
  refused: 'the model refused to answer',
  'no-program': 'the program of the command cannot be started: install it, or check its name and the PATH',
  'no-login': 'the command reports that nobody is logged in: start the program by itself and log in, then try again',
  'command-failed': 'the command failed',
  'command-timeout': 'the command did not end in time, and was stopped: choose a faster model',
  'unread-prompt': 'the command ended without reading the whole prompt, which is its standard input',
  'wrong-output': 'the output of the command has not the form of its program: is it a version that Précis knows?',
  'too-many-calls': 'the command was run 24 times for one compaction, and no more',
}

export const FAILURE_KINDS = Object.keys(WORDINGS).filter((kind) => kind !== 'unreachable')

/** Wordings for failures of commands, where they differ from those of servers. */
const OF_COMMANDS: Partial<Record<FailureKind, string>> = {
  'no-credit': 'the command reports that a usage limit is reached: wait until it is over, or use another command',
  'unknown-model': 'the command does not know the model: check --model',
  'too-long': 'the command rejected the prompt as too long: set PRECIS_CONTEXT_WINDOW to the window of its model',
  'reply-too-large': 'the command printed more than 4 MiB',
}

/** The remedies of the operator or the client, where a retry does not help. */
const REMEDIES: Partial<Record<ProblemType, string>> = {
  'model-misconfigured': ' Check the API key and the model names in the configuration of the service.',
  'prompt-too-large': ' Send a shorter prompt, or configure a model with a larger context window.',
}

export interface CandidateFailure {
  model: string
  failure: Failure
}

/** Failures that need a change of the configuration. */
const MISCONFIGURED = new Set<FailureKind>(['refused-key', 'no-credit', 'unknown-model', 'foreign-redirect'])

/** Failures that a shorter prompt avoids. */
const TOO_LONG = new Set<FailureKind>(['too-long', 'too-large', 'small-window'])

/**
 * Returns one problem for the failures of all candidates (docs/errors.md). Its detail names each of them;
 * its cause is the last thrown error.
 * @param server the model server, if the last call did not reach it
 */
export function modelProblem(failures: readonly CandidateFailure[], server?: UnreachableServer): Problem {
  // The remedies of commands are in their wordings.
  const isOfCommands = failures.some(({ failure }) => failure.exit !== undefined)
  const type = isOfCommands ? 'model-failed' : typeOf(failures.map(({ failure }) => failure.kind))
  const reasons = failures.map(({ model, failure }) => `${model}: ${describeFailure(failure)}`)
  const cause = failures.findLast(({ failure }) => failure.cause !== undefined)?.failure.cause
  return new Problem(type, `${reasons.join('; ')}.${REMEDIES[type] ?? ''}${describePrinted(failures)}`, {
    cause,
    facts: { ...factsOfFailures(failures), ...(server && { modelServer: server.host, modelError: server.cause }) },
  })
}

/** Returns what the log says of failures: the models, how the last call of each ended, and the last HTTP status. */
function factsOfFailures(failures: readonly CandidateFailure[]): Record<string, string | number> {
  const last = (field: 'status' | 'learnedWindowTokens'): number | undefined =>
    failures.flatMap(({ failure }) => failure[field] ?? []).at(-1)
  const model = failures.map((one) => one.model).join(',')
  const outcome = failures.map(({ failure }) => failure.kind).join(',')
  return defined({ model, outcome, upstreamStatus: last('status'), learnedWindow: last('learnedWindowTokens') })
}

/** Returns the wording of a failure: `the model server failed (HTTP 503)`. */
function describeFailure({ kind, status, unreachable, exit, learnedWindowTokens }: Failure): string {
  if (unreachable !== undefined) return `${WORDINGS.unreachable} (${unreachable})`
  if (exit !== undefined) return (OF_COMMANDS[kind] ?? WORDINGS[kind]) + (exit === '' ? '' : ` (${exit})`)
  const wording = WORDINGS[kind] + describeWindow(learnedWindowTokens)
  return status === undefined ? wording : `${wording} (HTTP ${status})`
}

const describeWindow = (tokens: number | undefined): string =>
  tokens === undefined
    ? ''
    : ` of ${count(tokens)} tokens, which its server has shown by rejecting a prompt (a window is tried again after ten minutes)`

/** Returns what commands have printed, as lines below the error. */
function describePrinted(failures: readonly CandidateFailure[]): string {
  const texts = failures.map(({ model, failure: { printed, kind } }) => {
    if (printed === undefined) return ''
    const who = failures.length === 1 ? 'It' : model
    const lines = shownLines(printed)
    if (lines.length > 0) return `\n${who} printed:${lines.map((line) => `\n  ${line}`).join('')}`
    return kind === 'command-failed' ? `\n${who} printed nothing. Run it by itself to see why.` : ''
  })
  return texts.join('')
}

function typeOf(kinds: readonly FailureKind[]): ProblemType {
  if (kinds.every((kind) => MISCONFIGURED.has(kind))) return 'model-misconfigured'
  // A shorter prompt would succeed even when some of the other candidates are misconfigured.
  return kinds.every((kind) => TOO_LONG.has(kind) || MISCONFIGURED.has(kind)) ? 'prompt-too-large' : 'model-failed'
}

/** Aborts a call that has used up its time-out. */
export class CallTimeout extends Error {
  override readonly message = 'The call has used up its time-out.'
}

/** Stops a call whose reply is too large for a summary. */
export class ReplyTooLarge extends Error {
  override readonly message = 'The reply is too large.'
}

/** Stops a call that its server redirects to another origin. */
export class ForeignRedirect extends Error {
  override readonly message = 'The server redirects to another origin.'
}
