import { findCommits, readExitStatus } from '../extract/commands.ts'
import { findDeclarations } from '../extract/declarations.ts'
import { isDocument, MAX_DOCUMENT_CHARACTERS } from '../extract/documents.ts'
import { findErrorHints, findErrorLines } from '../extract/error-lines.ts'
import { isPathArgument } from '../files/collect-files.ts'
import { isWriteTool } from '../files/tools.ts'
import { cutToEnds, elideBlobs, MAX_OUTPUT_CHARACTERS } from '../prompt/choose-output.ts'
import { between, countLines, FEW_LINES, joinPicked, pickLines, shownCostOf } from '../prompt/pick-lines.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { textOf, type ContentBlock, type Message, type ToolResultMessage } from '../session/message.ts'
import { findLineStart, findOpeningLine, isGapNote, withoutMiddle } from '../text/shorten.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'

/**
 * Returns a message with only the parts that a plan and its prompts need: the parts of outputs, thinking and written files
 * that a prompt may show. The tokens of the whole message are added.
 */
export function trimMessage(message: Message): Message {
  return { ...trimParts(message), tokens: estimateMessageTokens(message) }
}

function trimParts(message: Message): Message {
  switch (message.role) {
    case 'branchSummary':
    case 'compactionSummary':
      return message
    case 'bashExecution':
      return { ...message, output: trimOutput(message.output, (message.exitCode ?? 0) !== 0) }
    case 'toolResult':
      return { ...message, content: trimResult(message) }
    default:
      return { ...message, content: message.content.map(trimBlock) }
  }
}

/** Trims a result of one text as an output. In a result of several texts, or with images, each text stays whole. */
function trimResult(message: ToolResultMessage): ContentBlock[] {
  const [only, ...others] = message.content
  if (only?.type !== 'text' || others.length > 0) return message.content.map(trimBlock)
  const hasFailed = readExitStatus(message, textOf(message.content)) !== undefined
  return [{ type: 'text', text: trimOutput(only.text, hasFailed) }]
}

function trimBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'thinking':
      return { type: block.type, thinking: shortenText(block.thinking) }
    case 'toolCall':
      return trimCall(block)
    default:
      return block
  }
}

/**
 * Returns a tool call with the text of a written file cut to its ends and its declarations: a prompt shows the ends, and
 * an extract the declarations. A patch stays whole, since it names the files that it changes.
 */
export function trimCall(call: ToolCallBlock): ToolCallBlock {
  return isWriteTool(call.name) ? { ...call, arguments: trimValues(call.arguments) } : call
}

function trimValues(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' && !isPathArgument(key) ? shortenText(value, findDeclarations) : value,
    ]),
  )
}

/** How much stays at each end of thinking and of written files. At most 500 characters of each end are shown. */
const END_CHARACTERS = 2000

/** A shorter middle is not worth a note. */
const MIN_MIDDLE_CHARACTERS = 200

/**
 * Returns both ends of a long text, with notes for its middle. Secrets are replaced later, and a cut must not separate
 * the parts of one: the text is cut between lines, and stays whole where that is not possible or where it has a private
 * key.
 * @param find returns the ranges of lines of the middle that stay
 */
export function shortenText(text: string, find: (middle: string) => readonly LineRange[] = () => []): string {
  if (text.length <= 2 * END_CHARACTERS + MIN_MIDDLE_CHARACTERS || text.includes('PRIVATE KEY')) return text
  const headEnd = text.lastIndexOf('\n', END_CHARACTERS)
  const tailStart = findLineStart(text, text.length - END_CHARACTERS)
  if (headEnd < END_CHARACTERS / 2 || tailStart === undefined || text.length - tailStart < END_CHARACTERS / 2)
    return text
  const middle = text.slice(headEnd + 1, tailStart - 1)
  const ranges = find(middle)
  if (ranges.length === 0) return withoutMiddle(text, headEnd, tailStart)
  return [text.slice(0, headEnd), keepLines(middle.split('\n'), ranges), text.slice(tailStart)].join('\n')
}

interface LineRange {
  start: number
  end: number
}

/** Returns the lines of some ranges, with notes for the others. */
function keepLines(lines: readonly string[], ranges: readonly LineRange[]): string {
  const kept = new Set<number>()
  for (const { start, end } of ranges) for (let index = start; index < end; index++) kept.add(index)
  addOpeningLines(lines, kept)
  return joinPicked(lines, kept)
}

/** Shorter outputs lose next to nothing. */
const MIN_TRIMMED_CHARACTERS = 3 * MAX_OUTPUT_CHARACTERS

/** An output with a longer line stays whole, since a later cut of that line might split a secret. */
const MAX_KEPT_LINE_CHARACTERS = 2000

/** Whether a text may contain commits: a fast test that few texts pass. */
const mayHaveCommits = (text: string): boolean => text.includes('] ') && (text.startsWith('[') || text.includes('\n['))

/**
 * Returns only those lines of an output that `chooseOutput` could show, with notes for the others: it chooses the same
 * lines from the result. Lines stay whole, since secrets are replaced later.
 */
export function trimOutput(output: string, hasFailed: boolean): string {
  if (output.length < MIN_TRIMMED_CHARACTERS || output.includes('PRIVATE KEY')) return output
  const ends = cutToEnds(output, hasFailed)
  // An extract quotes documents that the agent read: an issue, a specification.
  if (output.length <= MAX_DOCUMENT_CHARACTERS && isDocument(output)) return output
  // Evidence is collected from more of a failed output than what is shown.
  if (hasFailed) return ends
  // Evidence includes the commits of the whole output.
  if (ends !== output && mayHaveCommits(output) && findCommits(ends).length < findCommits(output).length) return output
  const text = elideBlobs(ends)
  const lines = text.split('\n')
  if (lines.some((line) => line.length > MAX_KEPT_LINE_CHARACTERS)) return output
  const kept = findChoosable(lines, findErrorHints(text))
  const left = kept === undefined ? ends : joinPicked(lines, kept)
  // `pickLines` cuts the middle out of an output with fewer lines.
  return left.length <= MAX_OUTPUT_CHARACTERS || (kept?.size ?? 0) >= FEW_LINES ? left : ends
}

/**
 * Finds the lines that `pickLines` could choose. Which error lines it chooses depends on those of other outputs; an
 * output without error lines has only one choice.
 */
function findChoosable(lines: readonly string[], hints: readonly number[]): ReadonlySet<number> | undefined {
  const picked = pickLines(lines, { limit: MAX_OUTPUT_CHARACTERS, alreadyShown: new Set(), hints })
  if (picked === undefined) return undefined
  const hasErrors = hints.length > 0
  const head = hasErrors ? countLines(lines, MAX_OUTPUT_CHARACTERS, shownCostOf) : 0
  const tail = hasErrors ? countLines(lines.toReversed(), MAX_OUTPUT_CHARACTERS, shownCostOf) : 0
  const tailStart = lines.length - tail
  // An error line between the ends counts, even if the same line stands at an end too.
  const errors = new Set(findErrorLines(lines, between(hints, head, tailStart)).map(([, index]) => index))
  for (const [index, line] of lines.entries()) {
    const isEnd = (index < head || index >= tailStart) && !isGapNote(line)
    if (isEnd || errors.has(index) || (line.startsWith('[') && findCommits(line).length > 0)) picked.add(index)
  }
  addOpeningLines(lines, picked)
  return picked
}

/** Adds the lines of names: a secret is recognized by the name that it is assigned to, which may be in an earlier line. */
function addOpeningLines(lines: readonly string[], picked: Set<number>): void {
  for (const index of picked) {
    const opening = findOpeningLine(lines, index)
    if (opening !== undefined) picked.add(opening)
  }
}
