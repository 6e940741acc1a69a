import { findCommits } from '../extract/commands.ts'
import { findWork } from '../extract/find-work.ts'
import {
  commandFilesOf,
  filesOf,
  isCommitting,
  outcomeOf,
  outputOf,
  type ToolRun,
  type ToolRuns,
} from '../extract/runs.ts'
import { readUserText } from '../extract/user-text.ts'
import type { WorkState } from '../extract/work-item.ts'
import { textOf, toolCallsOf, type Message } from '../session/message.ts'

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
export interface OutlinedEntry {
  place: number
  message?: Message | undefined
  /** The place of the compaction that it is, and of one that is no entry and comes after it: half a place more. */
  compactions: readonly number[]
}

/** The turns of a session, and the compactions that stand after the last one. */
export interface SessionOutline {
  turns: OutlinedTurn[]
  lastCompactions: number[]
}

/** Returns the turns of a branch, oldest first. @param runs those of all messages */
export function outlineSession(branch: readonly OutlinedEntry[], runs: ToolRuns): SessionOutline {
  const states = statesOf(branch, runs)
  const turns: OutlinedTurn[] = []
  let compactions: number[] = []
  for (const { place, message, compactions: next } of branch) {
    if (message !== undefined && !next.includes(place)) {
      const request = readUserText(message)
      let turn = turns.at(-1)
      if (turn === undefined || request !== undefined) {
        turn = { first: place, modifiedFiles: new Set(), commits: [], failures: 0, steps: [], compactions }
        compactions = []
        const state = states.get(message)
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
    if (outcomeOf(run).kind === 'failed') {
      turn.failures += 1
      continue
    }
    const paths = [...filesOf(run).modifiedFiles, ...(run.command === undefined ? [] : commandFilesOf(run).modified)]
    for (const path of paths) turn.modifiedFiles.add(path)
    if (isCommitting(run)) turn.commits.push(...findCommits(outputOf(run)))
  }
}
