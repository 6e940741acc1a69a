import type { BashExecutionMessage, ContentBlock, Message } from './message.ts'

/**
 * Returns a command that the user ran by hand as text for a model: the command, its output and, unless it succeeded, how
 * it ended.
 */
export function bashExecutionText({ command, output, exitCode, cancelled }: BashExecutionMessage): string {
  const lines = [`Ran \`${command}\``, output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``]
  if (cancelled) lines.push('(cancelled)')
  else if (exitCode !== undefined && exitCode !== 0) lines.push(`Exit code ${exitCode}`)
  return lines.join('\n')
}

/** Texts that clients write in the role of the user, word for word: opencode 1.18.33, after an automatic compaction. */
const CLIENT_TEXTS = new Set([
  'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.',
])

/**
 * Returns a message in the role of the user; one of the role `custom` if the client has written it, or if it is a result that
 * Cline or Roo has written as text.
 * @param marks fields by which oh-my-pi (18.2) says that its agent or a hook wrote the message
 */
export function userMessage(
  content: ContentBlock[],
  { synthetic, attribution }: Readonly<Record<string, unknown>> = {},
): Message {
  const [only, ...others] = content
  if (synthetic === true || attribution === 'agent') return { role: 'custom', content }
  const isClients = only?.type === 'text' && others.length === 0 && CLIENT_TEXTS.has(only.text.trim())
  const isResult = only?.type === 'text' && readResultHead(only.text) !== undefined
  return { role: isClients || isResult ? 'custom' : 'user', content }
}

/** The first words of the message with a compaction's summary. */
export const COMPACTION_LEAD = 'The conversation before this point was compacted into this summary:'

/** Returns a compaction's summary as the model sees it: the text of the user message that replaces the conversation. */
export function wrapCompactionSummary(summary: string): string {
  return wrap(COMPACTION_LEAD, summary)
}

/** The model's answer to such a message, in lists where the roles must alternate. */
export const ACKNOWLEDGEMENT = 'Understood. I continue from this summary.'

/** Returns the summary in a text that `wrapCompactionSummary` has made; undefined for other texts. */
export function readCompactionText(text: string): string | undefined {
  const [start, end] = [`${COMPACTION_LEAD}\n\n<summary>\n`, '\n</summary>']
  return text.startsWith(start) && text.endsWith(end) ? text.slice(start.length, -end.length) : undefined
}

/** Returns whether a message of the model is only the answer to such a message. */
export const isAcknowledgement = (role: unknown, text: string): boolean =>
  role === 'assistant' && text === ACKNOWLEDGEMENT

/** Returns a branch summary as the model sees it. */
export function wrapBranchSummary(summary: string): string {
  return wrap(
    'The conversation went down another branch and came back from it. This is a summary of that branch:',
    summary,
  )
}

function wrap(lead: string, summary: string): string {
  return `${lead}\n\n<summary>\n${summary}\n</summary>`
}

/** How a tool ended, according to the client. */
interface ToolResultStatus {
  isError: boolean
  exitCode?: number
}

/**
 * Returns the first line of a tool's result in a transcript: `(failed)`, `(failed, exit code 2)`, or `(exit code 1)` if
 * the client did not mark the result as an error; an empty string for a success.
 */
export function writeToolResultStatus({ isError, exitCode }: ToolResultStatus): string {
  const facts: string[] = []
  if (isError) facts.push('failed')
  if (exitCode !== undefined && (isError || exitCode !== 0)) facts.push(`exit code ${exitCode}`)
  return facts.length === 0 ? '' : `(${facts.join(', ')})`
}

const STATUS_LINE = /^\((?:(failed)(?:, exit code (-?\d+))?|exit code (-?\d+))\)(?:\n|$)/

/** Reads the line that `writeToolResultStatus` wrote. @returns the status, and the text without that line */
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

/** The line before a result that old versions of Cline, Roo and Kilo write as text: `[read_file for 'a.ts'] Result:`. */
interface ResultHead {
  tool: string
  /** The text in the place of the arguments, such as a path or a command; it may have several lines. */
  about: string
  /** The text after the line; empty where the result has blocks of its own. */
  rest: string
}

const START = /^\[([a-z]\w{0,59})(?=[ \]])/
const END = '] Result:'

/** Returns the head with which a text begins; undefined for other texts. */
export function readResultHead(text: string): ResultHead | undefined {
  const [start, tool] = START.exec(text) ?? []
  const end = start === undefined ? -1 : text.indexOf(END, start.length)
  if (start === undefined || tool === undefined || end < 0) return undefined
  // `[tool] Result:` has nothing between the name and the end.
  if (text[start.length] === ']' && end !== start.length) return undefined
  return { tool, about: text.slice(start.length, end).trim(), rest: text.slice(end + END.length).trim() }
}

/** Returns the notice that replaces a pruned output (openapi.yaml, `/prune`): that of oh-my-pi. */
export const pruneNotice = (tokens: number): string => `[Output truncated - ${tokens} tokens]`

const NOTICE = /^\[Output truncated - (\d{1,9}) tokens\]$/

/** Returns the tokens of the output that such a notice has replaced; undefined for other texts. */
export function readPruneNotice(text: string): number | undefined {
  const [, tokens] = NOTICE.exec(text.trim()) ?? []
  return tokens === undefined ? undefined : Number(tokens)
}

/** What Claude Code and opencode write in the place of an output. */
export const CLEARED_OUTPUT = '[Old tool result content cleared]'
