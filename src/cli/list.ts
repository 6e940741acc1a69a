import type { Client, PlanReply } from '../client/client.ts'
import type { Environment } from '../environment.ts'
import { shellWord, withoutControls } from '../text/controls.ts'
import { contextOf, count, counted, OUTSIDE } from '../text/numbers.ts'
import type { Cli } from './cli.ts'
import { listDatabases, readLocated } from './databases.ts'
import { locateSessions, type LocatedSession } from './locate-sessions.ts'
import { adviceOf } from './plan.ts'
import { windowOf, type WindowQuery } from './request-query.ts'
import { numberOf, type Values } from './read-arguments.ts'
import { sayLeftOut } from './say-remarks.ts'
import { withService } from './service.ts'
import { shownIds } from './session-ids.ts'
import { writeAge, writeFolder } from './table-cells.ts'
import type { Terminal } from './terminal.ts'

const DEFAULT_MAX_SESSIONS = 50

/** `precis list`: lists the newest sessions of the agents on this machine, and whether to compact them. */
export async function list(values: Values, _arguments: readonly string[], cli: Cli): Promise<void> {
  const { terminal, env } = cli
  const maxSessions = numberOf(values, 'number', { least: 1 }) ?? DEFAULT_MAX_SESSIONS
  const query = windowOf(values)
  const all = [...locateSessions(cli, sayLeftOut(terminal)), ...listDatabases(env)].sort(
    (a, b) => b.modifiedMs - a.modifiedMs,
  )
  const newest = all.slice(0, maxSessions)
  const isJson = values['json'] === true
  if (newest.length === 0) {
    if (isJson) await terminal.printJson([])
    terminal.say('No session of a known agent was found (docs/cli.md lists the folders).')
    return
  }
  const print = printer(newest, all, cli)
  const rows: ListedSession[] = []
  const encrypted: string[] = []
  await withService({ env }, async (client) => {
    if (!isJson) await terminal.print(print.head)
    for (const [index, session] of newest.entries()) {
      terminal.show(`Reading ${index + 1} of ${newest.length} ...`)
      const row = describe(session, await planOf(session, { client, query, env }))
      rows.push(row)
      if (row.encryptedAt !== null) encrypted.push(print.nameOf(session))
      if (!isJson) await terminal.print(print.row(row, session))
    }
  })
  if (isJson) await terminal.printJson(rows)
  else sayNotes(rows, encrypted, terminal)
}

/** @param encrypted the names of sessions */
function sayNotes(rows: readonly ListedSession[], encrypted: readonly string[], terminal: Terminal): void {
  if (rows.some(({ tokensOutside }) => (tokensOutside ?? 0) > 0))
    terminal.say(
      `TOKENS is the size of the context: MESSAGES by our estimate, and OUTSIDE, about how many more the provider counts (${OUTSIDE}).`,
    )
  if (encrypted.length > 0)
    terminal.say(
      `The newest compaction is encrypted in ${counted(encrypted.length, 'session')}: ${encrypted.join(', ')}. MESSAGES counts what it replaced, which the agent no longer reads.`,
    )
}

export interface ListedSession {
  agent: string
  id: string
  path: string | null
  project: string | null
  modified: string
  /** Tokens of the context; null if the session cannot be read. So are the next two, which add up to them. */
  tokens: number | null
  messageTokens: number | null
  /** 0 if the session has no usage. */
  tokensOutside: number | null
  /** The action that the session calls for; null if the session cannot be read. */
  action: 'none' | 'compact' | null
  reason: string | null
  /** The number of the entry of the newest compaction, if it is encrypted. */
  encryptedAt: number | null
}

function describe(session: LocatedSession, plan: PlanReply | undefined): ListedSession {
  const context = plan && contextOf(plan)
  return {
    agent: session.agent,
    id: session.id,
    path: session.path ?? null,
    project: session.project() ?? null,
    modified: new Date(session.modifiedMs).toISOString(),
    tokens: context === undefined ? null : context.messages + context.outside,
    messageTokens: context?.messages ?? null,
    tokensOutside: context?.outside ?? null,
    action: plan === undefined ? null : adviceOf(plan.action),
    reason: plan?.reason ?? null,
    encryptedAt: plan?.encryptedAt ?? null,
  }
}

/** One session that cannot be read must not hide the others. */
async function planOf(
  session: LocatedSession,
  { client, query, env }: { client: Client; query: WindowQuery; env: Environment },
): Promise<PlanReply | undefined> {
  try {
    return await client.plan(readLocated(session, env), { query })
  } catch {
    return undefined
  }
}

const writeName = (name: string): string => withoutControls(shellWord(name))

/** The columns with numbers. */
const NUMBERS = [2, 3, 4, 5]

function printer(newest: readonly LocatedSession[], all: readonly LocatedSession[], { terminal, home }: Cli) {
  const shown = shownIds(all)
  const nameOf = (session: LocatedSession): string => writeName(shown.get(session) ?? session.id)
  const idLength = Math.max(2, ...newest.filter((one) => shown.get(one) !== one.path).map((one) => nameOf(one).length))
  const agentLength = Math.max(5, ...newest.map(({ agent }) => agent.length))
  // Rows are printed as they are read: the widths are known before.
  const widths = [idLength, agentLength, 7, 8, 8, 8, 8]
  const align = (cell: string, column: number): string =>
    NUMBERS.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  const line = (cells: readonly string[]): string => `${cells.map(align).join('  ')}\n`
  return {
    nameOf,
    head: terminal.paint('bold', line(['ID', 'AGENT', 'AGE', 'TOKENS', 'MESSAGES', 'OUTSIDE', 'ADVICE', 'PROJECT'])),
    row: (row: ListedSession, session: LocatedSession): string => {
      const { agent, modified, tokens, messageTokens, tokensOutside, action, project } = row
      const text = line([
        nameOf(session),
        agent,
        writeAge(Date.now() - Date.parse(modified)),
        tokens === null ? '-' : count(tokens),
        messageTokens === null ? '-' : count(messageTokens),
        tokensOutside === null || tokensOutside === 0 ? '-' : count(tokensOutside),
        action ?? 'unknown',
        withoutControls(writeFolder(project, home)).replaceAll('\n', ' '),
      ])
      return colour(row, text, terminal)
    },
  }
}

function colour({ action }: ListedSession, text: string, { paint }: Terminal): string {
  if (action === 'none') return text
  return paint(action === null ? 'dim' : 'yellow', text)
}
