import type { BlockKind } from '../session/transcript.ts'

/** The rank of a piece of a transcript when there is no room for all of it. */
export type PieceValue =
  /** The user's words: they are never cut. */
  | 'user'
  /** Names, brackets and notes: they appear together with another piece of their block. */
  | 'fixed'
  /** The assistant's words. */
  | 'words'
  /** A short text before calls, such as "Now let me run the tests:". */
  | 'announcement'
  | 'thinking'
  | 'argument'
  /** A command that was run. */
  | 'command'
  /** A change of a file that still holds. */
  | 'file'
  /** A plan or list of tasks that was not replaced by a newer one. */
  | 'plan'
  /** The instructions of a project, such as AGENTS.md. */
  | 'instructions'
  /** A document that the user pointed to. */
  | 'specification'
  | 'error'
  /** The content of a file that was read. */
  | 'reading'
  /** The output of a call that succeeded. */
  | 'output'
  /** An output that a newer one replaced. */
  | 'superseded'
  /** An argument that something newer replaced: an older version of a file, the text before an edit. */
  | 'old-version'
  /** An output that only says that a call succeeded. */
  | 'receipt'

/** A part of a block that is cut on its own. */
export interface Piece {
  text: string
  value: PieceValue
  /** How it is cut: an output between lines, anything else in its middle. `json`: its content is cut, and written as JSON. */
  form: 'text' | 'output' | 'json'
  /** Only of the form `json`; never longer than `text`. */
  content?: string
  /** The tokens of all of it, once they have been counted. */
  cost?: number
}

/** One labelled block of a transcript, before escaping. */
export interface Block {
  kind: BlockKind
  pieces: readonly Piece[]
}

/** One labelled block, as it is shown. */
export interface LabelledText {
  kind: BlockKind
  text: string
}

/** How many characters of a piece are shown, by rank: room is given to the lowest ranks first. */
type Levels = Readonly<Partial<Record<number, number>>>

const ALL = Infinity

/**
 * The shown parts of a piece when room is short, from the first rank to the last. Read backwards, it is the order in which
 * things are cut: what was superseded, long outputs of commands that succeeded, the middle of what was read, and last
 * errors, specifications, plans, the newest state of files, and the newest messages.
 */
const LEVELS: Record<PieceValue, Levels> = {
  user: { 0: ALL },
  fixed: {},
  words: { 1: 600, 5: ALL },
  announcement: { 4: ALL },
  thinking: { 8: 400, 12: ALL },
  argument: { 2: 200, 7: 800, 11: ALL },
  command: { 2: 300, 4: 1500, 9: ALL },
  file: { 2: 200, 5: 1500, 7: 6000, 9: ALL },
  plan: { 2: 300, 4: 6000, 6: ALL },
  instructions: { 1: 1500, 4: 8000, 7: ALL },
  specification: { 2: 2000, 4: 8000, 7: ALL },
  error: { 2: 300, 5: 2000, 10: ALL },
  reading: { 6: 1000, 9: 4000, 12: ALL },
  output: { 7: 600, 11: 2000, 13: ALL },
  superseded: { 13: 600, 14: ALL },
  'old-version': { 2: 0, 13: 600, 14: ALL },
  receipt: { 13: ALL },
}

/** The levels of pieces in the newest messages, whatever they are worth elsewhere. */
const NEWEST_LEVELS: Levels = { 1: 400, 2: 4000, 8: ALL }

/** Values that are the same in the newest messages. */
const UNAFFECTED = new Set<PieceValue>(['user', 'fixed', 'superseded', 'old-version', 'receipt'])

/** The level at which blocks appear that cannot be cut. */
export const FIXED_LEVEL: Level = { rank: 2, characters: 0 }

/** The last rank of all levels. */
export const LAST_RANK = 14

/** How many characters of a piece are shown at a rank. */
export interface Level {
  rank: number
  characters: number
}

const inOrder = (levels: Levels): Level[] =>
  Object.entries(levels).map(([rank, characters = 0]) => ({ rank: Number(rank), characters }))

const LEVELS_OF_VALUES = new Map(Object.entries(LEVELS).map(([value, levels]) => [value, inOrder(levels)]))
const LEVELS_OF_NEWEST = inOrder(NEWEST_LEVELS)

/** Returns how many characters of a piece are shown at which ranks, the first rank first. */
export const levelsOf = ({ value }: Piece, isNewest: boolean): readonly Level[] =>
  isNewest && !UNAFFECTED.has(value) ? LEVELS_OF_NEWEST : (LEVELS_OF_VALUES.get(value) ?? [])

export const wholeText = ({ kind, pieces }: Block): LabelledText => ({
  kind,
  text: pieces.map(({ text }) => text).join(''),
})

/** Returns a piece that is shown as it is, or not at all. */
export const fixed = (text: string): Piece => ({ text, value: 'fixed', form: 'text' })
