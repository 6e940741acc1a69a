import { isContextOverflow } from '../../session/context-overflow.ts'
import { withoutEcho, type SentText } from '../openai/echo.ts'
import type { Failure } from '../openai/failure.ts'
import { ownLines } from './printed-lines.ts'

/** How a command failed, as far as its process shows. */
type CommandFaultKind = 'no-program' | 'exit' | 'empty' | 'timeout' | 'unread-prompt' | 'output' | 'too-large' | 'calls'

/** A command that gave no answer. Its message is what the program printed: it may quote a prompt, and must never be logged. */
export class CommandFault extends Error {
  readonly kind: CommandFaultKind
  /** The exit code, or the signal that ended the process. */
  readonly exit: string | undefined

  constructor(kind: CommandFaultKind, printed = '', exit?: string) {
    super(printed)
    this.kind = kind
    this.exit = exit
  }
}

const KINDS = {
  'no-program': 'no-program',
  exit: 'command-failed',
  empty: 'empty',
  timeout: 'command-timeout',
  'unread-prompt': 'unread-prompt',
  output: 'wrong-output',
  'too-large': 'reply-too-large',
  calls: 'too-many-calls',
} as const satisfies Record<CommandFaultKind, Failure['kind']>

/** Errors are short. A longer text is an echo of the prompt, and its end is what was printed last. */
const MAX_PRINTED_CHARACTERS = 2000

/** How programs say that nobody is logged in: Claude Code, Codex, Gemini CLI, Qwen Code, opencode, pi. */
const NO_LOGIN =
  /\/login\b|not logged in|log ?in again|logged out|please (?:log|sign) ?in|invalid api key|no api key|api key (?:is )?(?:not|missing|required)|unauthorized|authenticat(?:e|ion)\b|(?:status|http|error|code)[ :]{1,3}401\b|(?:token|login|session|credentials)\b.{0,30} (?:has |have )?expired/i

/** How they say that an account has used up what it may: waiting for some seconds does not help. */
const USED_UP =
  /(?:usage|session|weekly|daily|rate) limit|limit reached|quota|credit balance|insufficient|(?:status|http|error|code)[ :]{1,3}429\b/i

const UNKNOWN_MODEL =
  /model.{0,80} (?:not found|does not exist|is not supported|may not exist)|unknown model|invalid model|issue with the selected model/i

/** Returns the failure that a fault of a command stands for. Only what the program itself says is read, not what it repeats. */
export function failureOfCommand(fault: CommandFault, sent: SentText): Failure {
  const own = ownLines(fault.message, sent)
  const failure = { kind: KINDS[fault.kind], cause: fault, exit: fault.exit ?? '', printed: own }
  if (fault.kind !== 'exit') return failure
  const printed = withoutEcho(fault.message.slice(-MAX_PRINTED_CHARACTERS), sent)
  if (isContextOverflow(printed)) return { ...failure, kind: 'too-long' }
  if (USED_UP.test(printed)) return { ...failure, kind: 'no-credit' }
  if (UNKNOWN_MODEL.test(printed)) return { ...failure, kind: 'unknown-model' }
  return NO_LOGIN.test(printed) ? { ...failure, kind: 'no-login' } : failure
}
