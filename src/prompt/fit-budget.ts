import { LABELS } from '../session/transcript.ts'
import { estimateTextTokens, sumBoundaries } from '../tokens/estimate-tokens.ts'
import {
  FIXED_RANK,
  LAST_RANK,
  levelOf,
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
  if (measureBlocks(blocks) <= budgetTokens) return blocks.map(wholeText)
  const fitting = new Fitting(blocks, budgetTokens)
  for (let rank = 0; rank <= LAST_RANK && !fitting.isFull; rank++) fitting.add(rank)
  return fitting.write()
}

const join = (pieces: readonly Piece[], write: (piece: Piece) => string): string => pieces.map(write).join('')

/** Returns the tokens of a text inside a block, not rounded. */
const costOf = (text: string): number => (text === '' ? 0 : sumBoundaries(text) - 1)

/** Returns the tokens of blocks that are not cut, by our estimate, block by block; not rounded. */
export function measureBlocks(blocks: readonly Block[]): number {
  let tokens = 0
  for (const { pieces } of blocks) {
    tokens += LABEL_TOKENS
    for (const { text } of pieces) tokens += costOf(text)
  }
  return tokens
}

/** What is shown of a piece. */
interface Shown {
  text: string
  cost: number
}

class Fitting {
  readonly #blocks: readonly Block[]
  /** The index of the first of the newest blocks. */
  readonly #newest: number
  readonly #opened = new Set<Block>()
  readonly #shown = new Map<Piece, Shown>()
  #left: number
  #isFull = false

  constructor(blocks: readonly Block[], budgetTokens: number) {
    this.#blocks = blocks
    this.#newest = findNewest(blocks)
    this.#left = budgetTokens - NOTE_TOKENS
  }

  get isFull(): boolean {
    return this.#isFull
  }

  /** Shows more of all pieces that have a level of this rank, the newest first. */
  add(rank: number): void {
    for (let index = this.#blocks.length - 1; index >= 0 && !this.#isFull; index--) {
      const block = this.#blocks[index] as Block
      const isNewest = index >= this.#newest
      if (rank === FIXED_RANK && block.pieces.every(({ value }) => value === 'fixed')) this.#addFixed(block)
      for (const piece of block.pieces) this.#addLevel(piece, block, levelOf(piece, rank, isNewest))
    }
  }

  write(): LabelledText[] {
    const shown: LabelledText[] = []
    let leftOut = 0
    for (const block of this.#blocks) {
      const { kind, pieces } = block
      if (this.#opened.has(block))
        shown.push({ kind, text: join(pieces, (piece) => this.#shown.get(piece)?.text ?? '') })
      else leftOut += 1
    }
    return leftOut === 0 ? shown : [{ kind: 'assistant', text: leftOutNote(leftOut) }, ...shown]
  }

  #addFixed(block: Block): void {
    if (this.#openingCost(block) > this.#left) this.#isFull = true
    else this.#open(block)
  }

  #addLevel(piece: Piece, block: Block, level: Level | undefined): void {
    if (level === undefined || this.#isFull) return
    const [rank, characters] = level
    const text = cut(piece, characters)
    const isMandatory = rank === 0
    if (isMandatory || this.#extraCost(piece, block, text) <= this.#left) this.#show(piece, block, text)
    else {
      this.#isFull = true
      this.#addPart(piece, block, Math.min(characters, MIN_PART_CHARACTERS + this.#left * CHARACTERS_PER_TOKEN))
    }
  }

  /** Shows as much of a piece as the rest of the room allows. */
  #addPart(piece: Piece, block: Block, characters: number): void {
    // In steps that do not depend on the room, so that more room never shows less.
    let [fitting, tooMany] = [0, Math.ceil(characters / MIN_PART_CHARACTERS) + 1]
    while (tooMany - fitting > 1) {
      const steps = Math.floor((fitting + tooMany) / 2)
      if (this.#extraCost(piece, block, cut(piece, steps * MIN_PART_CHARACTERS)) > this.#left) tooMany = steps
      else fitting = steps
    }
    const text = cut(piece, fitting * MIN_PART_CHARACTERS)
    if (fitting > 0 && text.length > (this.#shown.get(piece)?.text.length ?? 0)) this.#show(piece, block, text)
  }

  /** Returns what it costs to show a piece as this text, with the rest of its block if that does not appear yet. */
  #extraCost(piece: Piece, block: Block, text: string): number {
    return costOf(text) - this.#costNow(piece) + (this.#opened.has(block) ? 0 : this.#openingCost(block))
  }

  #openingCost({ pieces }: Block): number {
    return pieces.reduce((sum, { value, text }) => sum + (value === 'fixed' ? costOf(text) : 0), LABEL_TOKENS)
  }

  /** Shows the label and the fixed pieces of a block. */
  #open(block: Block): void {
    this.#opened.add(block)
    this.#left -= LABEL_TOKENS
    for (const piece of block.pieces) if (piece.value === 'fixed') this.#show(piece, block, piece.text)
  }

  #costNow(piece: Piece): number {
    return this.#shown.get(piece)?.cost ?? 0
  }

  #show(piece: Piece, block: Block, text: string): void {
    if (!this.#opened.has(block)) this.#open(block)
    const cost = costOf(text)
    this.#left -= cost - this.#costNow(piece)
    this.#shown.set(piece, { text, cost })
  }
}

/** Hardly any text has more characters for each token. Trimmed texts have as much at each end (ingest/trim-message.ts). */
export const CHARACTERS_PER_TOKEN = 8

/** A smaller part of a piece says nothing. */
const MIN_PART_CHARACTERS = 100

const cut = (piece: Piece, characters: number): string =>
  piece.text.length <= characters ? piece.text : piece.cut(characters)

/** Returns the index of the first of the newest blocks. */
function findNewest(blocks: readonly Block[]): number {
  let left = NEWEST_TOKENS
  let index = blocks.length
  while (index > 0 && left > 0) {
    index -= 1
    for (const { text } of blocks[index]?.pieces ?? []) left -= costOf(text)
  }
  return index
}
