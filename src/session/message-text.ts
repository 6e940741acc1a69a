import type { BashExecutionMessage } from './message.ts'

/**
 * A command that the user ran by hand, as text for a model: the command, its output, and how it ended where that was
 * not a plain success.
 */
export function bashExecutionText({ command, output, exitCode, cancelled }: BashExecutionMessage): string {
  const lines = [`Ran \`${command}\``, output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``]
  if (cancelled) lines.push('(cancelled)')
  else if (exitCode !== undefined && exitCode !== 0) lines.push(`Exit code ${exitCode}`)
  return lines.join('\n')
}

const wrap = (lead: string, summary: string): string => `${lead}\n\n<summary>\n${summary}\n</summary>`
/** A compaction's summary as the model sees it: the one user message that stands for the conversation before it. */
export function wrapCompactionSummary(summary: string): string {
  return wrap('The conversation before this point was compacted into this summary:', summary)
}

/** A branch summary as the model sees it. */
export function wrapBranchSummary(summary: string): string {
  return wrap(
    'The conversation went down another branch and came back from it. This is a summary of that branch:',
    summary,
  )
}
/** How a tool ended, as far as the client tells. */
export interface ToolResultStatus {
  isError: boolean
  exitCode?: number
}

const STATUS_LINE = /^\((?:(failed)(?:, exit code (-?\d+))?|exit code (-?\d+))\)(?:\n|$)/

/**
 * Writes how a tool ended, as a transcript tells it on the first line of a tool's result: `(failed)`,
 * `(failed, exit code 2)`, or `(exit code 1)` where the client did not call it a failure.
 * @returns the note, or an empty string for a success
 */
export function writeToolResultStatus({ isError, exitCode }: ToolResultStatus): string {
  const facts: string[] = []
  if (isError) facts.push('failed')
  if (exitCode !== undefined && (isError || exitCode !== 0)) facts.push(`exit code ${exitCode}`)
  return facts.length === 0 ? '' : `(${facts.join(', ')})`
}

/** Reads what `writeToolResultStatus` wrote: the status, and the text without it. */
export function readToolResultStatus(result: string): { status: ToolResultStatus; text: string } {
  const match = STATUS_LINE.exec(result)
  if (match === null) return { status: { isError: false }, text: result }
  const [line, failed, failureCode, otherCode] = match
  const exitCode = failureCode ?? otherCode
  return {
    status: { isError: failed !== undefined, ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }) },
    text: result.slice(line.length),
  }
}
