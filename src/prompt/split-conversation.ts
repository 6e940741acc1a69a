import type { Ticket } from '../runtime/fair-limit.ts'
import { splitTranscript, type TranscriptBlock } from '../session/transcript.ts'
import { splitText, truncateMiddle } from '../text/shorten.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'

export interface SplitConversationOptions {
  /** The most tokens that a chunk may have. */
  capacityTokens: number
  /** `message`: cut between labelled blocks; a block that is too large loses its middle. `text`: nothing is lost. */
  unit: 'message' | 'text'
}

/** A part of a transcript that fits a model's window. */
export interface Chunk {
  /** UTF-8. */
  text: Buffer
  /** Its estimated tokens. */
  tokens: number
}

/** Splits a transcript into chunks (see `splitConversation`). It may do so in another process. */
export type Split = (
  conversation: Buffer,
  options: SplitConversationOptions,
  ticket: Ticket,
) => Promise<readonly Chunk[]> | readonly Chunk[]

/** Does what `splitConversation` does, with texts in UTF-8. */
export const splitHere = (conversation: Buffer, options: SplitConversationOptions): Chunk[] =>
  splitConversation(conversation.toString(), options).map((text) => ({
    text: Buffer.from(text),
    tokens: estimateTextTokens(text),
  }))

/** A range of the transcript that is not cut further, with its offsets. Each one ends where the next one begins. */
interface Unit {
  start: number
  end: number
  tokens: number
}

/** Where text of an unknown syntax is cut: at blank lines; units that are still too large at lines, then anywhere. */
const SEPARATORS = [/\n[ \t\r]*\n/g, /\n/g] as const

/** The least capacity of a chunk, so that a tiny window does not cause a call for each line. */
const MIN_CAPACITY_TOKENS = 32

/** A shorter text has no room for the note of the missing middle. */
const MIN_SHORTENED_CHARACTERS = 100

const measure = (text: string, start: number, end: number): Unit => ({
  start,
  end,
  tokens: estimateTextTokens(text.slice(start, end)),
})

/**
 * Splits a transcript into chunks of about equal size that fit the capacity, in order. Together they are the whole
 * transcript, except that a message larger than a chunk loses its middle, with a note of its size. One unit in each
 * step.
 * @returns at least one chunk
 */
export function splitConversation(conversation: string, { capacityTokens, unit }: SplitConversationOptions): string[] {
  const capacity = Math.max(MIN_CAPACITY_TOKENS, capacityTokens)
  const units = unit === 'message' ? messageUnits(conversation) : textUnits(conversation, capacity)
  return groupEqually(units, capacity).map(({ start, end, tokens }) => {
    const text = conversation.slice(start, end)
    return tokens > capacity ? shortenToFit(text, capacity) : text
  })
}

/**
 * Shortens a text in steps of at least 5 % until it fits: its ends may have more tokens per character than its middle.
 */
function shortenToFit(text: string, capacity: number): string {
  let shown = text
  let characters = text.length
  for (let tokens = estimateTextTokens(shown); tokens > capacity; tokens = estimateTextTokens(shown)) {
    if (characters === MIN_SHORTENED_CHARACTERS) break
    characters = Math.max(MIN_SHORTENED_CHARACTERS, Math.floor(characters * Math.min(0.95, capacity / tokens)))
    shown = truncateMiddle(text, characters)
  }
  return shown
}

function messageUnits(conversation: string): Unit[] {
  const units: Unit[] = []
  let last: TranscriptBlock | undefined
  for (const block of splitTranscript(conversation)) {
    if (last !== undefined) units.push(measure(conversation, last.start, block.start))
    last = block
  }
  return last === undefined ? units : [...units, measure(conversation, last.start, conversation.length)]
}

/** Cuts at the coarsest separator that makes units which fit. */
function textUnits(text: string, capacity: number): Unit[] {
  let units = [measure(text, 0, text.length)]
  for (const separator of SEPARATORS) units = cutLarge(units, capacity, (unit) => cutAt(text, unit, separator))
  return cutLarge(units, capacity, (unit) => cutAnywhere(text, unit, capacity))
}

/** Cuts the units that are too large. There may be millions of units: each is one step. */
function cutLarge(units: readonly Unit[], capacity: number, cut: (unit: Unit) => Iterable<Unit>): Unit[] {
  const result: Unit[] = []
  for (const unit of units)
    for (const piece of unit.tokens > capacity ? cut(unit) : [unit]) {
      result.push(piece)
    }
  return result
}

function* cutAt(text: string, { start, end }: Unit, separator: RegExp): Generator<Unit> {
  let from = start
  for (const { index, 0: match } of text.slice(start, end).matchAll(separator)) {
    const to = start + index + match.length
    yield measure(text, from, to)
    from = to
  }
  if (from < end) yield measure(text, from, end)
}

function* cutAnywhere(text: string, { start, end, tokens }: Unit, capacity: number): Generator<Unit> {
  const length = Math.max(2, Math.floor(((end - start) * capacity) / tokens))
  let from = start
  for (const part of splitText(text.slice(start, end), length)) {
    yield measure(text, from, from + part.length)
    from += part.length
  }
}

/**
 * Joins neighbouring units into chunks. The target is the rest divided by the remaining chunks, so that the last is not
 * small.
 */
function groupEqually(units: readonly Unit[], capacity: number): Unit[] {
  let remainingTokens = units.reduce((sum, { tokens }) => sum + Math.min(tokens, capacity), 0)
  const groups: Unit[] = []
  let group: Unit | undefined
  let target = 0
  for (const unit of units) {
    const size = group?.tokens ?? 0
    if (group !== undefined && size + unit.tokens <= capacity && size + unit.tokens / 2 <= target) {
      group.end = unit.end
      group.tokens += unit.tokens
      continue
    }
    remainingTokens -= Math.min(size, capacity)
    target = remainingTokens / Math.max(1, Math.ceil(remainingTokens / capacity))
    group = { ...unit }
    groups.push(group)
  }
  return groups
}
