import { toolCallsOf, type Message } from '../session/message.ts'
import type { Region } from './region.ts'

/** The roles of messages with which a kept region may begin (planning rule 4). */
const CUTTABLE_ROLES: ReadonlySet<Message['role']> = new Set([
  'user',
  'assistant',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
])

/** Whether the kept region may begin with a message. */
export const mayBeginKept = ({ role }: Message): boolean => CUTTABLE_ROLES.has(role)

/**
 * Returns where the considered region may be cut: before a message that may begin the kept region, and only where no
 * tool result at or after the cut answers a call before it (planning rule 4).
 * @returns indexes into the branch, ascending
 */
export function findValidCutPoints(region: Region): number[] {
  const { branch, start } = region
  const openings = countOpenings(region)
  const points: number[] = []
  let open = 0
  for (let index = region.playStart; index < branch.length; index++) {
    open += openings[index] ?? 0
    const message = branch[index]?.message
    if (index >= start && open === 0 && message !== undefined && mayBeginKept(message)) points.push(index)
  }
  return points
}

/**
 * Returns, for each index, how many calls begin to wait for their result there, minus how many stop waiting: the sum up
 * to an index is the number of results that a cut there would separate from their calls. A result answers the nearest
 * earlier call with its id, since ids may be used again; a result without a call in play is not counted.
 */
function countOpenings({ branch, playStart }: Region): Int32Array {
  const openings = new Int32Array(branch.length + 1)
  const change = (index: number, by: number): void => {
    openings[index] = (openings[index] ?? 0) + by
  }
  const lastCall = new Map<string, number>()
  for (let index = playStart; index < branch.length; index++) {
    const message = branch[index]?.message
    if (message === undefined) continue
    for (const { id } of toolCallsOf(message)) lastCall.set(id, index)
    const call = message.role === 'toolResult' ? lastCall.get(message.toolCallId) : undefined
    if (call === undefined) continue
    change(call + 1, 1)
    change(index + 1, -1)
  }
  return openings
}
