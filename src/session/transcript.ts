/** The labels that open the blocks of a serialized transcript (docs/contract.md, "Conversation form"). */
export const LABELS = {
  user: '[User]:',
  thinking: '[Assistant thinking]:',
  assistant: '[Assistant]:',
  toolCalls: '[Assistant tool calls]:',
  toolResult: '[Tool result]:',
} as const

export type BlockKind = keyof typeof LABELS

/** One block of a serialized transcript; the offsets count UTF-16 units of the whole. */
export interface TranscriptBlock {
  kind: BlockKind
  /** The text after the label, without white space at its end. */
  text: string
  /** Where the label begins. */
  start: number
  /** Where the text ends. */
  end: number
  /** Whether the client has added it to the words of the user. */
  isClients?: true
}

interface Label {
  kind: BlockKind
  start: number
  textStart: number
}

const KINDS = new Map(Object.entries(LABELS).map(([kind, label]): [string, BlockKind] => [label, kind as BlockKind]))

/** A label at the start of a line, and the space after it, which an editor may have removed. */
const LABEL_LINE = /^\[(?:User|Tool result|Assistant(?: thinking| tool calls)?)\]:(?: |$)/gm

/**
 * Splits a serialized transcript into its blocks (docs/contract.md, "Conversation form"). A label counts only at the
 * start of the text and after a blank line; paragraphs without a label belong to the block before. Text before the first
 * label, and a text without labels, is a user block.
 */
export function* splitTranscript(transcript: string): Generator<TranscriptBlock, void, undefined> {
  let label: Label = { kind: 'user', start: 0, textStart: 0 }
  for (const { index, 0: match } of transcript.matchAll(LABEL_LINE)) {
    const kind = KINDS.get(match.trimEnd())
    if (kind === undefined || !startsBlock(transcript, index)) continue
    yield* blockUpTo(index, transcript, label)
    label = { kind, start: index, textStart: index + match.length }
  }
  yield* blockUpTo(transcript.length, transcript, label)
}

/** Yields one block, or none: the text before the first label may be empty. */
function* blockUpTo(limit: number, transcript: string, label: Label): Generator<TranscriptBlock, void, undefined> {
  const block = readBlock(transcript, label, limit)
  if (block.end > 0) yield block
}

function startsBlock(transcript: string, index: number): boolean {
  if (index === 0) return true
  if (transcript[index - 1] !== '\n') return false
  const lineStart = transcript.lastIndexOf('\n', index - 2) + 1
  return transcript.slice(lineStart, index - 1).trim() === ''
}

function readBlock(transcript: string, { kind, start, textStart }: Label, limit: number): TranscriptBlock {
  const text = transcript.slice(textStart, limit).trimEnd()
  return { kind, text, start, end: textStart + text.length }
}

const OPEN = '<conversation>'
const CLOSE = '</conversation>'
const CLOSE_BEFORE_SUMMARY = `${CLOSE}\n\n<previous-summary>\n`

/**
 * Finds the transcript in a prompt that a client has written: the text between the first opening and the last closing
 * conversation tag, since clients escape the tags inside it (docs/clients.md, "oh-my-pi"). The summary that oh-my-pi writes
 * after it is not escaped, and may quote a closing tag.
 * @returns the offsets of the text between the tags, in UTF-16 units; undefined if there is no such pair
 */
export function findConversation(prompt: string): { start: number; end: number } | undefined {
  const open = prompt.indexOf(OPEN)
  const beforeSummary = open === 0 ? prompt.indexOf(CLOSE_BEFORE_SUMMARY) : -1
  const end = beforeSummary >= 0 ? beforeSummary : prompt.lastIndexOf(CLOSE)
  const start = open + OPEN.length
  return open < 0 || end < start ? undefined : { start, end }
}

const OPEN_SUMMARY = '<previous-summary>'
const CLOSE_SUMMARY = '</previous-summary>'

/**
 * Finds the earlier summary in a prompt that a client has written. oh-my-pi does not escape it, so it may quote a closing tag: it
 * ends at the last one that has a line of its own, or else at the last one.
 * @param prompt without its conversation
 * @returns the offsets of the block with its tags, and the text between them; undefined if there is no such pair
 */
export function findPreviousSummary(prompt: string): { start: number; end: number; inner: string } | undefined {
  const start = prompt.indexOf(OPEN_SUMMARY)
  const line = prompt.lastIndexOf(`\n${CLOSE_SUMMARY}\n`)
  const close = line > start ? line + 1 : prompt.lastIndexOf(CLOSE_SUMMARY)
  if (start < 0 || close < start) return undefined
  const inner = prompt.slice(start + OPEN_SUMMARY.length, close)
  return { start, end: close + CLOSE_SUMMARY.length, inner }
}
