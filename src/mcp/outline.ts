import { findWork } from '../extract/find-work.ts'
import { isGoOn } from '../extract/go-on.ts'
import { commandFilesOf, filesOf, commitsOf, type ToolRun, type ToolRuns } from '../extract/runs.ts'
import { readUserText } from '../extract/user-text.ts'
import type { WorkState } from '../extract/work-item.ts'
import { compactionsOf } from '../recall/compactions.ts'
import { hasFailed } from '../recall/describe-call.ts'
import { textOf, toolCallsOf, type Message } from '../session/message.ts'
import type { KnownSession } from './known-session.ts'

/** A request of the user, and what the agent did until the next one. */
export interface OutlinedTurn {
  /** Left out for what stands before the first request. */
  request?: string
  state?: WorkState
  /** The place of its first entry. */
  first: number
  modifiedFiles: Set<string>
  commits: string[]
  /** The number of failed calls. */
  failures: number
  /** What the agent has said on the way, and where. */
  steps: { place: number; text: string }[]
  /** The places of the compactions that stand before it (`OutlinedEntry`). */
  compactions: number[]
}

/** An entry of the active branch, without secrets. */
interface OutlinedEntry {
  place: number
  message?: Message | undefined
  /** The place of the compaction that it is, and of one that is no entry and comes after it: half a place more. */
  compactions: readonly number[]
}

/** The turns of a session, oldest first. */
export interface SessionOutline {
  turns: OutlinedTurn[]
  /** The compactions that stand after the last turn. */
  lastCompactions: number[]
  /** The places of the first entries that compactions have kept, by the places of the compactions behind them. */
  kept: ReadonlyMap<number, number>
}

/** Returns the outline of the active branch of a session. */
export function readOutline({ branch, branchPlaces, entries, runs }: KnownSession): SessionOutline {
  const outlined = branch.map((entry, index) => {
    const place = branchPlaces[index] ?? 0
    const compactions = compactionsOf([entry]).map((at) => place + at)
    return { place, message: entries[place]?.message, compactions }
  })
  return { ...outlineTurns(outlined, runs), kept: keptPlaces(branch, branchPlaces) }
}

/** Agents write a compaction where it was made, which may be behind what it has kept. */
function keptPlaces(branch: KnownSession['branch'], branchPlaces: readonly number[]): Map<number, number> {
  const indexes = new Map(branch.map(({ id }, index) => [id, index]))
  return new Map(
    branch.flatMap(({ compaction }, index): [number, number][] => {
      const kept = indexes.get(compaction?.firstKeptEntryId ?? '') ?? index
      return kept < index ? [[branchPlaces[index] ?? 0, branchPlaces[kept] ?? 0]] : []
    }),
  )
}

function outlineTurns(branch: readonly OutlinedEntry[], runs: ToolRuns): Omit<SessionOutline, 'kept'> {
  const states = statesOf(branch, runs)
  const turns: OutlinedTurn[] = []
  let compactions: number[] = []
  for (const { place, message, compactions: next } of branch) {
    if (message !== undefined && !next.includes(place)) {
      const request = readUserText(message)
      const before = turns.at(-1)
      let turn = before
      if (turn === undefined || request !== undefined) {
        turn = { first: place, modifiedFiles: new Set(), commits: [], failures: 0, steps: [], compactions }
        compactions = []
        // Words to go on with the request before them stand as it does.
        const state = states.get(message) ?? (isGoOn(request ?? '') ? before?.state : undefined)
        if (request !== undefined) Object.assign(turn, { request, ...(state !== undefined && { state }) })
        turns.push(turn)
      }
      readRuns(turn, message, runs)
      const text = message.role === 'assistant' ? textOf(message.content).trim() : ''
      if (text !== '') turn.steps.push({ place, text })
    }
    compactions.push(...next)
  }
  return { turns, lastCompactions: compactions }
}

/** Returns how requests ended, by their messages. */
function statesOf(branch: readonly OutlinedEntry[], runs: ToolRuns): Map<Message, WorkState> {
  const messages = branch.flatMap(({ message }) => message ?? [])
  const states = new Map<Message, WorkState>()
  for (const { kind, at, state } of findWork({ messages, runs }, {}).items) {
    const message = messages[at]
    if (kind === 'request' && message !== undefined) states.set(message, state)
  }
  return states
}

function readRuns(turn: OutlinedTurn, message: Message, runs: ToolRuns): void {
  const own: ToolRun | undefined = message.role === 'bashExecution' ? runs.get(message) : undefined
  const called = toolCallsOf(message).flatMap((call) => runs.get(call) ?? [])
  for (const run of own === undefined ? called : [own, ...called]) {
    if (hasFailed(run)) {
      turn.failures += 1
      continue
    }
    const paths = [...filesOf(run).modifiedFiles, ...(run.command === undefined ? [] : commandFilesOf(run).modified)]
    for (const path of paths) turn.modifiedFiles.add(path)
    turn.commits.push(...commitsOf(run))
  }
}
