import { toolCallsOf, type Message } from '../session/message.ts'
import type { Region } from './region.ts'

/** Messages that a kept region may begin with (planning rule 4). */
const CUTTABLE_ROLES: ReadonlySet<Message['role']> = new Set([
  'user',
  'assistant',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
])

export const mayBeginKept = ({ role }: Message): boolean => CUTTABLE_ROLES.has(role)

/**
 * Finds where the considered region may be cut: before a message that can begin it, and only where no tool result at or
 * after the cut answers a call before it (planning rule 4).
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
 * Counts at each index how many calls begin to wait for their result there, less how many no longer do: the sum up to
 * an index tells how many results a cut there would part from their calls. A result answers the nearest earlier call
 * of its id, since ids may come again; one without a call in play parts nothing.
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
