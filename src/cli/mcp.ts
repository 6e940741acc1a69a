import { readFileSync } from 'node:fs'
import type { Machine } from '../agents/home.ts'
import type { McpHost } from '../mcp/host.ts'
import { serveMcp } from '../mcp/serve.ts'
import { readPackage } from '../own-package.ts'
import type { Cli } from './cli.ts'
import type { Values } from './read-arguments.ts'

/** `precis mcp`: serves the Model Context Protocol on stdin and stdout. */
export async function mcp(values: Values, _arguments: readonly string[], cli: Cli): Promise<void> {
  const isForAllProjects = values['all-projects'] === true
  serveMcp(readPackage().version, () => openHost(cli, isForAllProjects))
}

/** Loads what reads sessions, when a tool is called for the first time. */
export async function openHost({ env, home, folder }: Machine, isForAllProjects: boolean): Promise<McpHost> {
  const [{ findReplaced }, { locateSessions }, { sessionsNamed }, databases] = await Promise.all([
    import('./backups.ts'),
    import('./locate-sessions.ts'),
    import('./session-ids.ts'),
    import('./databases.ts'),
  ])
  let unread: string[] = []
  return {
    ...{ env, home, folder, isForAllProjects, parents, named: sessionsNamed },
    listFiles: () => {
      unread = []
      return locateSessions({ env, home, folder }, (place) => unread.push(place))
    },
    unread: () => unread,
    listDatabaseWith: (id) => databases.listDatabaseWith(id, env),
    listRunningOf: (agent) => databases.listRunningOf(agent, env),
    readFromDatabase: (id) => databases.readFromDatabase(id, env),
    copiesOf: findReplaced,
  }
}

/** A shell or two may be between an agent and its server. */
const MAX_PARENTS = 4

/** Returns the processes above this one, the nearest first; without Linux's `/proc`, only the nearest. */
function parents(): number[] {
  const pids = [process.ppid]
  while (pids.length < MAX_PARENTS) {
    const parent = parentOf(pids.at(-1) ?? 0)
    if (parent === undefined || parent <= 1) break
    pids.push(parent)
  }
  return pids
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name of the program, which may have spaces: the state, and the parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
