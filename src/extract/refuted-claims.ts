import { baseName } from '../files/paths.ts'
import { sharedShare, stemsOf } from './same-words.ts'
import type { WorkItem } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'

/** The messages of a turn: its request and its answer, which claims something. */
type Turn = readonly [at: number, answeredAt: number]

/** Returns what tools say at the end of a turn against its claim. */
export function refutedBy([at, answeredAt]: Turn, proofs: WorkProofs, isGoOn: boolean) {
  const tasks = openTasks([at, answeredAt], proofs, isGoOn)
  const task = tasks.find(({ state }) => state === 'open')
  if (task !== undefined) return { note: openNote(task), hasRest: true }
  if (tasks.length > 0) return { hasRest: true }
  const lost = proofs.checks.unchangedBetween(at, answeredAt)
  return lost && { note: `the change of ${baseName(lost.path)} failed`, hasRest: lost.hasOthers }
}

const openNote = ({ source = 'its list', text }: WorkItem): string => `${source}: "${text}" is open`

/** Takes the notes about tasks that are open from requests if these tasks are not open any more. */
export function dropClosed(requests: readonly WorkItem[], tasks: readonly WorkItem[]): void {
  const closed = new Set(tasks.filter(({ state }) => state !== 'open').map(openNote))
  for (const request of requests) if (closed.has(request.note ?? '')) delete request.note
}

/**
 * Returns whether a wish that the answer of its turn claims is not done: a check or a change of the turn has failed, or a task with its
 * words is open.
 */
export function wishRefuter(turn: Turn, proofs: WorkProofs): (wish: WorkItem) => boolean {
  const hasFailed = proofs.failedBefore(...turn) !== undefined || proofs.checks.unchangedBetween(...turn) !== undefined
  const open = openTasks(turn, proofs, false).map(({ text }) => stemsOf(text))
  return ({ text }) => {
    const stems = stemsOf(text)
    return hasFailed || open.some((task) => sharedShare(task, stems) >= OWN_SHARE)
  }
}

/** A task with this share of its words in a wish is about it. */
const OWN_SHARE = 0.5

/**
 * Returns the tasks that were open at the end of a turn which has made them.
 * @param isGoOn whether the turn goes on with the tasks of turns before it
 */
const openTasks = ([after, upTo]: Turn, { tasks }: WorkProofs, isGoOn: boolean): WorkItem[] =>
  tasks.filter(
    ({ at, seenAt = at, state, provenAt = at }) =>
      at <= upTo &&
      (at > after || (isGoOn && seenAt > after)) &&
      (state === 'open' || (state === 'done' && provenAt > upTo)),
  )
