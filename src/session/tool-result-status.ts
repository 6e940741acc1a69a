/** How a tool ended, as far as the client tells. */
export interface ToolResultStatus {
  isError: boolean
  exitCode?: number
}

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

const STATUS_LINE = /^\((?:(failed)(?:, exit code (-?\d+))?|exit code (-?\d+))\)(?:\n|$)/

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
