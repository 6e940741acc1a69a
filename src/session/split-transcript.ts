import { LABELS, type BlockKind } from './transcript-labels.ts'

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

const KINDS = new Map<string, BlockKind>(Object.entries(LABELS).map(([kind, label]) => [label, kind as BlockKind]))

/** A label at the start of a line, and the space after it, which an editor may have taken away. */
const LABEL_LINE = /^\[(?:User|Tool result|Assistant(?: thinking| tool calls)?)\]:(?: |$)/gm

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

interface Label {
  kind: BlockKind
  start: number
  textStart: number
}

function readBlock(transcript: string, { kind, start, textStart }: Label, limit: number): TranscriptBlock {
  const text = transcript.slice(textStart, limit).trimEnd()
  return { kind, text, start, end: textStart + text.length }
}
