import { textOf, type BashExecutionMessage, type ToolResultMessage } from '../session/message.ts'
import { judgeOutput } from './judge-output.ts'
import { hidesStatus, isQuery } from './exit-status.ts'
import { splitCommand } from './shell.ts'

/** How a call ended. */
export interface Outcome {
  kind: 'succeeded' | 'failed' | 'unknown'
  /** Of a failure: `exit code N`, or `error` where no exit status is known. */
  status?: string
  exitCode?: number
}

/**
 * Returns how a call or a command of the user ended. This is the only place that decides it. What a client says about it
 * counts first. The output decides where the client says nothing, as in OpenAI's chat format, and where the exit status is
 * not that of the command that matters, as in `npm test | tail`.
 * @param command the command that was run; left out for other tools, whose outputs do not say how they ended
 */
export function readOutcome(result: ToolResultMessage | BashExecutionMessage, command?: string): Outcome {
  const { exitCode } = result
  const isTool = result.role === 'toolResult'
  const output = isTool ? textOf(result.content) : result.output
  const noted = command === undefined ? undefined : readExitNote(output)
  if (exitCode !== undefined && exitCode !== 0) return failure(exitCode)
  if (isTool && result.isError) return failure(exitCode ?? noted)
  const isMarked = exitCode !== undefined || (isTool && result.isUnmarked !== true)
  if (command === undefined) return { kind: isMarked ? 'succeeded' : 'unknown' }
  if (!isTool && result.cancelled) return { kind: 'unknown' }
  return outcomeOf(command, output, { isMarked, exitCode: exitCode ?? noted })
}

interface Status {
  /** Whether the client says how the command ended. */
  isMarked: boolean
  /** The status in the result or, as a note, in its output. */
  exitCode: number | undefined
}

function outcomeOf(command: string, output: string, { isMarked, exitCode }: Status): Outcome {
  const parts = splitCommand(command)
  const isReading = parts.every(isQuery)
  // A file that is printed may end with such a note.
  if (exitCode !== undefined && exitCode !== 0 && !(isMarked && isReading)) return failure(exitCode)
  const code = exitCode === 0 ? { exitCode } : {}
  if ((isMarked || exitCode === 0) && !hidesStatus(parts)) return { kind: 'succeeded', ...code }
  const kind = judgeOutput(parts, output)
  return kind === 'failed' ? { kind, status: 'error' } : { kind, ...code }
}

const failure = (exitCode: number | undefined): Outcome =>
  exitCode === undefined || exitCode === 0
    ? { kind: 'failed', status: 'error' }
    : { kind: 'failed', status: `exit code ${exitCode}`, exitCode }

/** A line with an exit status, as agents write it before or after a command's output: `[Command exited with code 1]`. */
const EXIT_NOTE =
  /^[^\w\n]{0,3}(?:(?:the|command|process|script|shell|error|failed|finished|completed|returned|non-zero|with|an?)[:.]? ){0,8}(?:exit(?:ed)?(?:[ _](?:with|code|status)){0,3}|return ?code)[:=>"]{0,2} ?(\d{1,3})\b/i

/** Notes stand in the first line, or in the last ones. */
const NOTE_LINES = 3
const NOTE_CHARACTERS = 300

function readExitNote(output: string): number | undefined {
  const [first = ''] = output.slice(0, NOTE_CHARACTERS).split('\n', 1)
  const last = output.slice(-NOTE_CHARACTERS).split('\n').filter(isNotBlank).slice(-NOTE_LINES)
  const codes = [first, ...last].flatMap((line) => EXIT_NOTE.exec(line)?.[1] ?? [])
  const code = codes.at(-1)
  return code === undefined ? undefined : Number(code)
}

const isNotBlank = (line: string): boolean => line.trim() !== ''
