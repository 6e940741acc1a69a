import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Work } from './planners/planner.ts'
import type { SessionEntry } from './session-entry.ts'
import type { PlannerMessage, PlannerReply } from './time-planner.ts'

export interface PlannerOptions {
  /** The module in `planners/`. */
  module: string
  /**
   * The folder where the peer is installed. It is also the home of the process, so that files of a peer stay in the
   * scratch folder.
   */
  folder: string
  argument?: string | undefined
  /** Left out for Node with tsx. */
  bun?: string | undefined
}

export interface PlannerProcess {
  /** Sends it the session for the next measurements. */
  read: (entries: readonly SessionEntry[]) => Promise<void>
  /** Returns the milliseconds of the work on that session. */
  time: (work: Work) => Promise<number>
  stop: () => Promise<void>
}

const SCRIPT = fileURLToPath(new URL('time-planner.ts', import.meta.url))

/**
 * Starts a planner as a separate process: each has its own heap and optimizer, and a peer has the runtime for which it
 * was made.
 * @throws Error with the output of the process, where the planner cannot be loaded
 */
export async function startPlanner(options: PlannerOptions): Promise<PlannerProcess> {
  const { module, folder, argument, bun } = options
  const runtime = bun === undefined ? ['--import', 'tsx'] : []
  const args = [...runtime, SCRIPT, module, folder, ...(argument === undefined ? [] : [argument])]
  const child = spawn(bun ?? process.execPath, args, {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit')
  const receive = async (): Promise<PlannerReply> => {
    const reply = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
    if (reply === undefined) throw new Error(`The planner ${module} ended.`)
    return reply[0] as PlannerReply
  }
  const ask = async (message: PlannerMessage): Promise<number> => {
    const reply = receive()
    child.send(message)
    return read(await reply, module)
  }
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  try {
    read(await receive(), module)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    read: async (entries) => {
      await ask({ entries: [...entries] })
    },
    time: (work) => ask({ work }),
    stop,
  }
}

function read(reply: PlannerReply, module: string): number {
  if (reply === 'ready') return 0
  if ('fault' in reply) throw new Error(`${module}: ${reply.fault}`)
  return reply.ms
}
