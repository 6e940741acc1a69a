import { defined } from '../text/defined.ts'
import { firstIndex } from '../text/first-index.ts'
import { oneLineWithoutFences, shorten } from '../text/shorten.ts'

/**
 * The state of an item of work. `done`: a tool that keeps tasks says so, or its box is ticked. `said`: the agent says so.
 * `answered`: its turn ended and the user went on, or the messages that stay answer it. `replaced`: the user wants it no more, or not as it was done.
 * `open`: it is not done, or what was said of it does not hold. `unknown`: nothing of these.
 */
export type WorkState = 'done' | 'said' | 'answered' | 'replaced' | 'open' | 'unknown'

/** A request, a wish in it, a task of a list, a box in a file, or a step that an agent or an earlier summary names. */
export interface WorkItem {
  kind: 'request' | 'wish' | 'task' | 'box' | 'step'
  /** On one line, shortened; empty for the request of a turn that began before the messages. */
  text: string
  state: WorkState
  /** The message that has it first: an index. -1: an earlier summary. */
  at: number
  /** Of an item of a list, the line directly above the list. */
  lead?: string
  /** The message that shows its state. */
  provenAt?: number
  /** The number of that message's entry, from 1, where the session has entries. */
  entry?: number
  /** Why it is in this state, if that does not follow from the state. */
  note?: string
  /** What may say more of it, for a reader to judge: what was committed, and what the user has said next. */
  since?: readonly string[]
  /** The tool that keeps the list, or the file. */
  source?: string
  id?: string
  /** The status in the words of the tool. */
  word?: string
  /** Whether nothing mentions it since the newest request that was answered began. */
  isOlder: boolean
  /** Of a step that was worked on since it was named: whether the agent has reported on that work. */
  isReported?: boolean
  /** Of a step: whether an earlier summary has it as a request, and not as a plan. */
  isRequest?: boolean
  /** Whether an earlier summary has it as a part of its newest request. */
  isPart?: boolean
}

/** A commit, and the message with the result of its command: an index. */
export interface WorkCommit {
  hash: string
  subject: string
  /** The rest of its message; left out where the command has no message. */
  body?: string[]
  at: number
  /** Whether it names a box whose tick was taken away. */
  isOpen?: true
}

/** What a user postpones, word for word. */
export interface PostponedWords {
  /** The whole sentence, with the one before it where it only says when. */
  words: string
  /** The message that has it: an index. -1: an earlier summary. */
  at: number
  /** The agent's question, where the words only answer that. */
  asked?: string
  /** The newest sentence since that is about the same, and who has said it. */
  since?: { by: 'user' | 'agent'; words: string }
}

/** A file that was read or a command that only looks, and the message with its result: an index. */
export interface WorkRead {
  text: string
  at: number
}

/** The items of work of a session, and the checks that failed last. */
export interface SessionWork {
  /** Requests with their wishes, tasks, boxes and steps, each oldest first. */
  items: WorkItem[]
  /** With the message of their last run, an index, and the runs of some of their tests that have passed since; the one that failed last at the end. */
  failing: { command: string; at: number; tests?: string; passed: readonly string[] }[]
  /** The newest commits that were not taken back, oldest first; the message with their results is an index. */
  commits: WorkCommit[]
  /** The rules of the project, with the names of their files; left out where none is shown, or an earlier part has them. */
  rules?: readonly string[]
  /** What the user has postponed, oldest first. */
  postponed?: readonly PostponedWords[]
  /** Whether the messages end in the middle of a turn. */
  isInTurn: boolean
  /** What the messages that stay begin or go on with: a newer request of the user, or the turn of the newest one. */
  kept?: 'request' | 'rest'
  /** The request of a turn that begins after the messages, if its beginning is summarized with them. */
  following?: string
  /** What was committed in that beginning, oldest first. */
  laterCommits?: WorkCommit[]
  /** What was read last, oldest first. */
  reads?: readonly WorkRead[]
  /** What was read in that beginning, oldest first. */
  laterReads?: readonly string[]
}

/** How long the text of an item may be. */
export const MAX_ITEM_CHARACTERS = 240

/** Whether an item is in a list: that of a todo tool, or the boxes of a file. */
export const isListed = ({ kind }: WorkItem): boolean => kind === 'task' || kind === 'box'

const isRequest = ({ kind }: WorkItem): boolean => kind === 'request'

/** Boxes before a text: an item has one of its own. */
const BOXES = /^(?:\[[ xX]\]\s{1,4})+/

/** Returns an item that is open. */
export const openItem = (kind: WorkItem['kind'], text: string, at: number): WorkItem => ({
  kind,
  text: shorten(oneLineWithoutFences(text.replace(BOXES, '')), MAX_ITEM_CHARACTERS),
  state: 'open',
  at,
  isOlder: false,
})

/** A longer line says at its end what its list is. */
const MAX_LEAD_CHARACTERS = 120

/** Returns an open wish of a message. @param wish its words, and the line above its list */
export const wishItem = ({ text, lead }: { text: string; lead: string }, at: number): WorkItem => ({
  ...openItem('wish', text, at),
  ...(lead !== '' && { lead: lead.length > MAX_LEAD_CHARACTERS ? `…${lead.slice(-MAX_LEAD_CHARACTERS)}` : lead }),
})

/** A longer quote would repeat most sentences of a line of their own. */
const MAX_QUOTED_CHARACTERS = 60

/** Returns words within quotation marks that the state at the end of a line can have. */
export const quoteInState = (text: string): string =>
  `'${shorten(oneLineWithoutFences(text.replace(/["`()]/g, '')), MAX_QUOTED_CHARACTERS)}'`

/** Returns what the user has said next, as it stands beside an item. */
export const quoteUser = (text: string): string => `the user then: ${quoteInState(text)}`

/** Returns the work in a part of the messages, with the states at the end of all of them. */
export function sliceWork(work: SessionWork, start: number, end: number): SessionWork {
  const own = work.items.filter(({ at }) => (at >= start && at < end) || (at < 0 && start === 0))
  // Words to go on begin no request of their own.
  const goesOn = start > 0 && !own.some(isRequest) ? work.items.findLast(isRequest) : undefined
  const items = goesOn === undefined ? own : [{ ...goesOn, text: '', at: start }, ...own]
  const within = <T extends { at: number }>(all: readonly T[]): T[] =>
    all.filter(({ at }) => at >= start && at < end).map((one) => ({ ...one, at: one.at - start }))
  const { reads = [], postponed = [] } = work
  // Without messages, there is nothing new to say of the turn that follows.
  const next = end === 0 ? undefined : work.items.findLast((item) => isRequest(item) && item.at >= end)
  const { rules = [], ...others } = work
  return {
    ...others,
    ...(start === 0 && rules.length > 0 && { rules }),
    isInTurn: work.isInTurn && end > 0,
    failing: within(work.failing),
    commits: within(work.commits),
    reads: within(reads),
    postponed: [...(start === 0 ? postponed.filter(({ at }) => at < 0) : []), ...within(postponed)],
    items: items.map((item) => ({ ...item, at: item.at < 0 ? item.at : item.at - start })),
    ...(next === undefined
      ? {}
      : {
          isInTurn: true,
          following: next.text,
          laterCommits: work.commits.filter(({ at }) => at >= end),
          laterReads: reads.filter(({ at }) => at >= end).map(({ text }) => text),
        }),
  }
}

/** Returns the last index of a list whose place is not after a message; -1 if all places are after it. @param list in order */
export const lastUpTo = (list: readonly { at: number }[], at: number): number =>
  firstIndex(list.length, (index) => (list[index]?.at ?? 0) <= at) - 1

/** Returns the last place of a list up to a message; -1 without one. @param list in order */
export const lastAt = (list: readonly { at: number }[], upTo: number): number => list[lastUpTo(list, upTo)]?.at ?? -1

/** Sets the states of the parts of a request by the turn in which its work went on. That turn may be about more than each. */
export function followTurn(steps: readonly WorkItem[], turn: WorkItem | undefined): void {
  const { state = 'open', provenAt } = turn ?? {}
  if (state === 'open') return
  for (const step of steps)
    if (step.isPart === true && step.state === 'open')
      Object.assign(step, { state: state === 'replaced' ? state : 'answered', ...defined({ provenAt }) })
}
