import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { EditChange } from './edit-changes.ts'

/** A piece of a session that means something on its own: a request, a paragraph of an answer, a call with its outcome. */
export interface RecalledPassage {
  /** The positions of its entries in the session: of a call, also that of its result. */
  places: readonly number[]
  /** Equal for the passages of one message, one summary, or one call with its outcome: these are counted. */
  unit: number
  /** Its kinds, the most telling first: a failed command is a `failure`, a `call` and an `output`. */
  kinds: readonly [RecallKind, ...RecallKind[]]
  tool?: string | undefined
  /** Whether it is the work of a sub-agent, which the agent has never seen. */
  isSideChain?: true
  /** Equal for calls of which one repeats the other (`sameCallOf`). */
  call?: string
  /** The files that its call reads or changes. */
  paths?: readonly string[]
  /** The text before each part of a long passage: the call whose output it is. */
  lead: string
  text: string
  /** Of a whole edit: where its text has the old and the new lines. */
  changes?: readonly EditChange[]
  /** Of a call with its output: where its text has the output. */
  outputAt?: number
  /** Of a call whose output has passages of its own: the output. */
  outcome?: string
  /** How many characters of the whole come before and after the text. */
  before: number
  after: number
  /** The beginning of what comes after the text, where that is a part of a whole: a word or a phrase may go on there. */
  next?: string
}

/** What the parts of a text have in common. */
export type PassageFacts = Omit<RecalledPassage, 'text' | 'before' | 'after' | 'next'>
