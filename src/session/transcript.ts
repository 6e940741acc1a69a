/** One block of a serialized transcript; the offsets count UTF-16 units of the whole. */
export interface TranscriptBlock {
  kind: BlockKind
  /** What follows the label, without white space at its end. */
  text: string
  /** Where the label begins. */
  start: number
  /** Where the text ends. */
  end: number
}
/** The labels that open the blocks of a serialized transcript (docs/contract.md, "Conversation form"), without the space after. */
export const LABELS = {
  user: '[User]:',
  thinking: '[Assistant thinking]:',
  assistant: '[Assistant]:',
  toolCalls: '[Assistant tool calls]:',
  toolResult: '[Tool result]:',
} as const

const KINDS = new Map<string, BlockKind>(Object.entries(LABELS).map(([kind, label]) => [label, kind as BlockKind]))

/** A label at the start of a line, and the space after it, which an editor may have taken away. */
const LABEL_LINE = /^\[(?:User|Tool result|Assistant(?: thinking| tool calls)?)\]:(?: |$)/gm

interface Label {
  kind: BlockKind
  start: number
  textStart: number
}

/**
 * Splits a serialized transcript into its blocks (docs/contract.md, "Conversation form"). A label counts at the start of the text
 * and after a blank line only; paragraphs without one belong to the block before. What stands before the first label,
 * or a text without any, is a user's.
 */
export function* splitTranscript(transcript: string): Generator<TranscriptBlock, void, undefined> {
  let label: Label = { kind: 'user', start: 0, textStart: 0 }
  for (const { index, 0: match } of transcript.matchAll(LABEL_LINE)) {
    if (!startsBlock(transcript, index)) continue
    yield* blockUpTo(index, transcript, label)
    // The pattern knows the same labels as the table.
    label = { kind: KINDS.get(match.trimEnd()) as BlockKind, start: index, textStart: index + match.length }
  }
  yield* blockUpTo(transcript.length, transcript, label)
}

/** Before the first label there may be nothing. */
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

export type BlockKind = keyof typeof LABELS
const OPEN = '<conversation>'
const CLOSE = '</conversation>'

/**
 * Finds the transcript in a prompt that a client has written: what stands between the first opening and the last
 * closing conversation tag, since clients escape the tags inside it (docs/clients.md, "oh-my-pi").
 * @returns offsets of the text between the tags, in UTF-16 units; undefined where there is no such pair
 */
export function findConversation(prompt: string): { start: number; end: number } | undefined {
  const open = prompt.indexOf(OPEN)
  const end = prompt.lastIndexOf(CLOSE)
  const start = open + OPEN.length
  return open < 0 || end < start ? undefined : { start, end }
}
