import type { SessionEntry } from './session-entry.ts'
import type { PlannerModule, Work } from './planners/planner.ts'

/**
 * Runs a planner as a process, on Node or on Bun. Its arguments: the module's name, the folder of the peer, and an
 * option of the module. It receives sessions and works over IPC, and sends one message back for each.
 */
export type PlannerMessage = { entries: SessionEntry[] } | { work: Work }
export type PlannerReply = { ms: number } | { fault: string } | 'ready'

/** Shorter work is repeated for at least this long, since clock and scheduler are too coarse for it. */
const LEAST_MS = 20

const [name = '', folder = '', argument] = process.argv.slice(2)
const send = (reply: PlannerReply): void => void process.send?.(reply)

try {
  const { createPlanner } = (await import(`./planners/${name}.ts`)) as PlannerModule
  const planner = await createPlanner(folder, argument)
  let works: ReturnType<typeof planner> | undefined
  process.on('message', (message: PlannerMessage) => {
    if ('entries' in message) {
      works = planner(message.entries)
      send('ready')
    } else send(timeWork(works?.[message.work]))
  })
  send('ready')
} catch (error) {
  send({ fault: String(error).split('\n')[0] ?? '' })
}

/** Returns the milliseconds of one run. A planner that finds nothing to compact has not done the work. */
function timeWork(work: (() => unknown) | undefined): PlannerReply {
  const start = performance.now()
  for (let runs = 1; ; runs++) {
    const found = work?.()
    const ms = performance.now() - start
    if (found === undefined || found === null) return { fault: 'found nothing to compact' }
    if (ms >= LEAST_MS) return { ms: ms / runs }
  }
}
