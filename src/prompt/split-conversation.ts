import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { splitTranscript, type TranscriptBlock } from '../session/transcript.ts'
import type { Cooperative } from '../runtime/cooperative.ts'
import { truncateMiddle } from '../text/truncate-middle.ts'

interface SplitOptions {
  /** The most tokens a part may have. */
  capacityTokens: number
  /** `message`: at labelled blocks, of which one that is too large loses its middle. `text`: nothing is lost. */
  unit: 'message' | 'text'
}

/** A stretch of the transcript that is not cut further, by offsets; what stands before the next one belongs to it. */
interface Unit {
  start: number
  end: number
  tokens: number
}

/** Where text of a syntax that is not known is cut: at blank lines; where that is too coarse at lines; else anywhere. */
const SEPARATORS = [/\n[ \t\r]*\n/g, /\n/g] as const

/** A part is never smaller than this, so that a tiny window does not make a call for each line. */
const MIN_CAPACITY_TOKENS = 32

/** A shorter text has no room for the note of what is missing. */
const LEAST_CHARACTERS = 100

const measure = (text: string, start: number, end: number): Unit => ({
  start,
  end,
  tokens: estimateTextTokens(text.slice(start, end)),
})

/**
 * Cuts a transcript into parts of about equal size that each fit, in order: all of it is in them, except that a single
 * message larger than a part loses its middle, with a note of how much is missing. A message, or a stretch of text, a step.
 * @returns at least one part
 */
export function* splitConversation(
  conversation: string,
  { capacityTokens, unit }: SplitOptions,
): Cooperative<string[]> {
  const capacity = Math.max(MIN_CAPACITY_TOKENS, capacityTokens)
  const units = yield* unit === 'message' ? messagesIn(conversation) : textUnits(conversation, capacity)
  return groupEqually(units, capacity).map(({ start, end, tokens }) => {
    const text = conversation.slice(start, end)
    return tokens > capacity ? shorten(text, capacity) : text
  })
}

/** Ends and the note in the middle may be denser than the rest: a twentieth less, until it fits. */
function shorten(text: string, capacity: number): string {
  let shown = text
  let characters = text.length
  for (let tokens = estimateTextTokens(shown); tokens > capacity; tokens = estimateTextTokens(shown)) {
    if (characters === LEAST_CHARACTERS) break
    characters = Math.max(LEAST_CHARACTERS, Math.floor(characters * Math.min(0.95, capacity / tokens)))
    shown = truncateMiddle(text, characters)
  }
  return shown
}

function* messagesIn(conversation: string): Cooperative<Unit[]> {
  const units: Unit[] = []
  let last: TranscriptBlock | undefined
  for (const block of splitTranscript(conversation)) {
    if (last !== undefined) units.push(measure(conversation, last.start, block.start))
    last = block
    yield
  }
  return last === undefined ? units : [...units, measure(conversation, last.start, conversation.length)]
}

/** Cuts at the coarsest separator that makes units which fit. */
function* textUnits(text: string, capacity: number): Cooperative<Unit[]> {
  let units = [measure(text, 0, text.length)]
  for (const separator of SEPARATORS) units = yield* cutLarge(units, capacity, (unit) => cutAt(text, unit, separator))
  return yield* cutLarge(units, capacity, (unit) => cutAnywhere(text, unit, capacity))
}

/** There may be millions of units: each is a step. */
function* cutLarge(units: readonly Unit[], capacity: number, cut: (unit: Unit) => Iterable<Unit>): Cooperative<Unit[]> {
  const result: Unit[] = []
  for (const unit of units)
    for (const piece of unit.tokens > capacity ? cut(unit) : [unit]) {
      result.push(piece)
      yield
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
  const length = Math.floor(((end - start) * capacity) / tokens)
  for (let from = start; from < end;) {
    const to = Math.min(end, from + Math.max(2, length))
    const splitsPair = /[\uD800-\uDBFF]/.test(text[to - 1] ?? '') && to < end
    yield measure(text, from, splitsPair ? to - 1 : to)
    from = splitsPair ? to - 1 : to
  }
}

/** Joins neighbours up to what is left over the parts that are left: so the last part is no smaller than the others. */
function groupEqually(units: readonly Unit[], capacity: number): Unit[] {
  let left = units.reduce((sum, { tokens }) => sum + Math.min(tokens, capacity), 0)
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
    left -= Math.min(size, capacity)
    target = left / Math.max(1, Math.ceil(left / capacity))
    group = { ...unit }
    groups.push(group)
  }
  return groups
}
