import { findCommits, readExitStatus } from '../extract/commands.ts'
import { findErrorHints, findErrorLines } from '../extract/error-lines.ts'
import { isPathArgument } from '../files/collect-files.ts'
import { isWriteTool } from '../files/tools.ts'
import { cutToEnds, elideBlobs, MAX_OUTPUT_CHARACTERS } from '../prompt/choose-output.ts'
import { between, countLines, FEW_LINES, joinPicked, pickLines, shownCostOf } from '../prompt/pick-lines.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { textOf, textsOf, type ContentBlock, type Message, type ToolResultMessage } from '../session/message.ts'
import { findLineStart, findOpeningLine, isGapNote, withoutMiddle } from '../text/shorten.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'

/**
 * Returns a message with only the parts that a plan and its prompts need: the parts of outputs, thinking and written files
 * that a prompt may show. The tokens of the whole message are added, and the names of files in the other parts.
 */
export function trimMessage(message: Message): Message {
  const trimmed = trimParts(message)
  const names = findTrimmedNames(textsOf(message), textsOf(trimmed))
  return { ...trimmed, tokens: estimateMessageTokens(message), ...(names === '' ? {} : { trimmedNames: names }) }
}

/** Names of files are searched in this many characters of a text, and those of a message have at most so many. */
const SEARCHED_CHARACTERS = 64 * 1024
const MAX_NAMES_CHARACTERS = 4000
const MAX_NAME_CHARACTERS = 200

/** @param whole the texts of a message; each may be longer than the one at the same place in `trimmed` */
function findTrimmedNames(whole: readonly string[], trimmed: readonly string[]): string {
  const names = new Set<string>()
  let left = MAX_NAMES_CHARACTERS
  for (const [index, text] of whole.entries()) {
    const shown = trimmed[index] ?? ''
    if (text.length === shown.length) continue
    const seen = new Set(namesIn(shown))
    for (const name of namesIn(text.slice(0, SEARCHED_CHARACTERS))) {
      if (seen.has(name) || names.has(name) || name.length > left) continue
      names.add(name)
      left -= name.length + 1
    }
  }
  return [...names].join('\n')
}

/** A path with an extension, or the name of a file of a common type: `result.value` is code. */
const FILE_NAME =
  /[/\\][\w.@+-]{0,100}\w\.[A-Za-z]\w{0,7}$|\w\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|c|cc|cpp|h|php|vue|svelte|css|html|json|md|sql|sh|toml|ya?ml|txt)$/

const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/[\w@.+~/\\-]{3,1000}/g), ([name]) => name.replace(/[.,]{1,9}$/, '')).filter(
    (name) => name.length <= MAX_NAME_CHARACTERS && FILE_NAME.test(name),
  )

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
 * Returns a tool call with the text of a written file cut to its ends, which is all that is shown of it. A patch stays
 * whole, since it names the files that it changes.
 */
export function trimCall(call: ToolCallBlock): ToolCallBlock {
  return isWriteTool(call.name) ? { ...call, arguments: trimValues(call.arguments) } : call
}

function trimValues(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' && !isPathArgument(key) ? shortenText(value) : value,
    ]),
  )
}

/** How much stays at each end of thinking and of written files. At most 500 characters of each end are shown. */
const END_CHARACTERS = 2000

/** A shorter middle is not worth a note. */
const MIN_MIDDLE_CHARACTERS = 200

/**
 * Returns both ends of a long text, with a note for its middle. Secrets are replaced later, and a cut must not separate
 * the parts of one: the text is cut between lines, and stays whole where that is not possible or where it has a private
 * key.
 */
export function shortenText(text: string): string {
  if (text.length <= 2 * END_CHARACTERS + MIN_MIDDLE_CHARACTERS || text.includes('PRIVATE KEY')) return text
  const headEnd = text.lastIndexOf('\n', END_CHARACTERS)
  const tailStart = findLineStart(text, text.length - END_CHARACTERS)
  if (headEnd < END_CHARACTERS / 2 || tailStart === undefined || text.length - tailStart < END_CHARACTERS / 2)
    return text
  return withoutMiddle(text, headEnd, tailStart)
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
  // A secret is recognized by the name that it is assigned to, which may be in an earlier line.
  for (const index of picked) {
    const opening = findOpeningLine(lines, index)
    if (opening !== undefined) picked.add(opening)
  }
  return picked
}
