import { LABELS } from '../session/transcript.ts'
import { truncateMiddle } from '../text/shorten.ts'
import { estimateTextTokens, sumBoundaries } from '../tokens/estimate-tokens.ts'
import { writeJsonLine } from './call-pieces.ts'
import { outputCutter } from './cut-output.ts'
import {
  FIXED_LEVEL,
  LAST_RANK,
  levelsOf,
  wholeText,
  type Block,
  type LabelledText,
  type Level,
  type Piece,
} from './transcript-piece.ts'

/** The last messages of this size are the newest ones. */
const NEWEST_TOKENS = 4000

/** The tokens of a block's label and of the blank line before it. */
const LABEL_TOKENS = estimateTextTokens(`\n\n${LABELS.toolCalls} `)

/** The note for blocks that are left out. The user's messages between them are still there. */
export const leftOutNote = (blocks: number): string =>
  `(${blocks} answers, tool calls and outputs of this transcript were left out, mostly old ones; all requests are here)`

const NOTE_TOKENS = LABEL_TOKENS + estimateTextTokens(leftOutNote(1_000_000))

/**
 * Returns the blocks of a transcript as far as they fit a budget. If all of them fit, nothing is cut. Otherwise room is
 * given by value (`LEVELS`), to newer blocks before older ones, up to the first piece that does not fit, which is shown in
 * part. So nothing exceeds the budget but what the user said, and a larger budget never shows less.
 * @param budgetTokens by our estimate, block by block
 */
export function fitBudget(blocks: readonly Block[], budgetTokens: number): LabelledText[] {
  if (measureBlocks(blocks, budgetTokens) <= budgetTokens) return blocks.map(wholeText)
  const fitting = new Fitting(blocks, budgetTokens)
  for (const steps of stepsOf(blocks)) for (const step of steps) if (!fitting.isFull) fitting.add(step)
  return fitting.write()
}

/** Returns the tokens of a text inside a block, not rounded. */
const costOf = (text: string): number => (text === '' ? 0 : sumBoundaries(text) - 1)

/** Returns the tokens of all of a piece. They are counted when they are first asked for: several limits are compared with them. */
const wholeCost = (piece: Piece): number => (piece.cost ??= costOf(piece.text))

/**
 * Returns the tokens of blocks that are not cut, by our estimate, block by block; not rounded.
 * @param enough to know that there are more, no more are counted
 * @param outputCharacters how much of each output is counted
 */
export function measureBlocks(blocks: readonly Block[], enough = Infinity, outputCharacters = Infinity): number {
  let tokens = 0
  for (const { kind, pieces } of blocks) {
    tokens += LABEL_TOKENS
    for (const piece of pieces)
      tokens += wholeCost(piece) * (kind === 'toolResult' ? Math.min(1, outputCharacters / piece.text.length) : 1)
    if (tokens > enough) break
  }
  return tokens
}

/** The shown part of a piece. */
interface Shown {
  text: string
  cost: number
}

const measured = (text: string): Shown => ({ text, cost: costOf(text) })

/** Shows more of a piece; without a piece, a block that cannot be cut. */
interface Step {
  block: Block
  piece?: Piece
  level: Level
}

/** Returns the steps of each rank in their order: the pieces of the newest blocks come first. */
function stepsOf(blocks: readonly Block[]): Step[][] {
  const steps: Step[][] = Array.from({ length: LAST_RANK + 1 }, () => [])
  const newest = findNewest(blocks)
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index] as Block
    if (block.pieces.every(({ value }) => value === 'fixed'))
      steps[FIXED_LEVEL.rank]?.push({ block, level: FIXED_LEVEL })
    for (const piece of block.pieces)
      for (const level of levelsOf(piece, index >= newest)) steps[level.rank]?.push({ block, piece, level })
  }
  return steps
}

class Fitting {
  readonly #blocks: readonly Block[]
  readonly #opened = new Set<Block>()
  readonly #shown = new Map<Piece, Shown>()
  readonly #cutters = new Map<Piece, (characters: number) => string>()
  #left: number
  isFull = false

  constructor(blocks: readonly Block[], budgetTokens: number) {
    this.#blocks = blocks
    this.#left = budgetTokens - NOTE_TOKENS
  }

  add({ block, piece, level }: Step): void {
    if (piece === undefined) this.#addFixed(block)
    else this.#addLevel(block, piece, level)
  }

  write(): LabelledText[] {
    const shown = this.#blocks
      .filter((block) => this.#opened.has(block))
      .map(({ kind, pieces }) => ({ kind, text: pieces.map((piece) => this.#shown.get(piece)?.text ?? '').join('') }))
    const leftOut = this.#blocks.length - shown.length
    return leftOut === 0 ? shown : [{ kind: 'assistant', text: leftOutNote(leftOut) }, ...shown]
  }

  #addFixed(block: Block): void {
    this.isFull ||= openingCost(block) > this.#left
    if (!this.isFull) this.#open(block)
  }

  #addLevel(block: Block, piece: Piece, { rank, characters }: Level): void {
    const shown = this.#cut(piece, characters)
    const isMandatory = rank === 0
    if (isMandatory || this.#extraCost(block, piece, shown) <= this.#left) this.#show(block, piece, shown)
    else {
      this.isFull = true
      this.#addPart(block, piece, Math.min(characters, MIN_PART_CHARACTERS + this.#left * CHARACTERS_PER_TOKEN))
    }
  }

  /** Shows as much of a piece as the rest of the room allows. */
  #addPart(block: Block, piece: Piece, characters: number): void {
    // In steps that do not depend on the room, so that more room never shows less.
    let [fitting, tooMany] = [0, Math.ceil(characters / MIN_PART_CHARACTERS) + 1]
    while (tooMany - fitting > 1) {
      const steps = Math.floor((fitting + tooMany) / 2)
      if (this.#extraCost(block, piece, this.#cut(piece, steps * MIN_PART_CHARACTERS)) > this.#left) tooMany = steps
      else fitting = steps
    }
    const part = this.#cut(piece, fitting * MIN_PART_CHARACTERS)
    if (fitting > 0 && part.text.length > (this.#shown.get(piece)?.text.length ?? 0)) this.#show(block, piece, part)
  }

  /** Returns a piece with at most about so many characters. An output is searched once, not for each of its levels. */
  #cut(piece: Piece, characters: number): Shown {
    if (isWithin(piece, characters)) return { text: piece.text, cost: wholeCost(piece) }
    let cutter = this.#cutters.get(piece)
    if (cutter === undefined) this.#cutters.set(piece, (cutter = cutterOf(piece)))
    return measured(cutter(characters))
  }

  /** Returns what it costs to show this text of a piece, with the rest of its block if that does not appear yet. */
  #extraCost(block: Block, piece: Piece, { cost }: Shown): number {
    return cost - (this.#shown.get(piece)?.cost ?? 0) + (this.#opened.has(block) ? 0 : openingCost(block))
  }

  #open(block: Block): void {
    this.#opened.add(block)
    this.#left -= LABEL_TOKENS
    for (const piece of block.pieces) if (piece.value === 'fixed') this.#show(block, piece, this.#cut(piece, Infinity))
  }

  #show(block: Block, piece: Piece, shown: Shown): void {
    if (!this.#opened.has(block)) this.#open(block)
    this.#left -= shown.cost - (this.#shown.get(piece)?.cost ?? 0)
    this.#shown.set(piece, shown)
  }
}

const openingCost = ({ pieces }: Block): number =>
  pieces.reduce((sum, piece) => sum + (piece.value === 'fixed' ? wholeCost(piece) : 0), LABEL_TOKENS)

/** Hardly any text has more characters for each token. Trimmed texts have as much at each end (ingest/trim-message.ts). */
export const CHARACTERS_PER_TOKEN = 8

/** A smaller part of a piece says nothing. */
const MIN_PART_CHARACTERS = 100

/** Whether a piece needs no cut. A content that is too long is not written as JSON to find that out. */
const isWithin = (piece: Piece, characters: number): boolean => (piece.content ?? piece.text).length <= characters

/** Returns a function that returns a piece with at most about so many characters of its content. */
export function cutterOf(piece: Piece): (characters: number) => string {
  if (piece.form === 'output') return outputCutter(piece.text)
  return (characters) => {
    if (isWithin(piece, characters)) return piece.text
    const { form, content = piece.text } = piece
    const cut = truncateMiddle(content, Math.max(MIN_CUT_CHARACTERS, characters))
    return form === 'json' ? writeJsonLine(cut) : cut
  }
}

/** `truncateMiddle` needs room for its note. */
const MIN_CUT_CHARACTERS = 100

/** Returns the index of the first of the newest blocks. */
function findNewest(blocks: readonly Block[]): number {
  let left = NEWEST_TOKENS
  let index = blocks.length
  while (index > 0 && left > 0) {
    index -= 1
    for (const piece of blocks[index]?.pieces ?? []) left -= wholeCost(piece)
  }
  return index
}
