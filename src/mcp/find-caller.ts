import { readPart, realPath } from '../agents/shared/session-file.ts'
import { askBack } from './ask-back.ts'
import type { McpHost, StoredSession } from './host.ts'
import type { KnownSessions } from './known-session.ts'
import { isSameCall, pendingCallsIn } from './pending-call.ts'
import { quoteName } from './quote.ts'
import type { ToolCall } from './tools.ts'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import type { McpClient } from '../agents/home.ts'

/** A call, and where its session may be. */
export interface Search {
  call: ToolCall
  host: McpHost
  known: KnownSessions
}

/** An agent writes its session when the user asks, and mostly before each call. */
const RUNNING_MS = 60_000

/** But it may wait for the user, who has to allow a call, and some write later: so recent a session may be the caller. */
const RECENT_MS = 600_000

/** A process that has died leaves its calls without results: later, another session may make the same call. */
const WAITING_MS = 3_600_000

/** Returns the session that makes a call: what its client says, or the only one that it can be. @throws SessionQuestion; Error if there is none */
export function findCaller(search: Search): StoredSession {
  const { call, host, known } = search
  const client = clientNamed(call.client)
  const agent = client?.agent ?? ''
  const own = client?.ownSession?.({ ...host, meta: call.meta }) ?? {}
  const sessions = sessionsOf(client?.agent, host)
  const current = own.id === undefined ? undefined : sessions.find(({ id }) => id === own.id)
  // Without arguments, a call is like many others.
  const waitingMs = Object.keys(call.args).length > 0 ? WAITING_MS : RECENT_MS
  const lately = sessions.filter((one) => isWithin(one, waitingMs) && isReadable(one, host))
  const { mark } = own
  const marked = mark === undefined ? [] : lately.filter(({ path = '' }) => hasAtEnd(path, mark))
  if (marked[0] !== undefined && marked.length === 1) return marked[0]
  if (own.isCurrent === true && own.id !== undefined) return checkOwn(current ?? orMissing(own.id, agent), search)
  const waiting = lately.filter((one) => isWaiting(one, search))
  if (current !== undefined && waiting.includes(current)) return current
  if (waiting.length > 0) return onlyOne(waiting, search)
  if (current !== undefined) return newestOwn(checkOwn(current, search), sessions, search)
  const recent = lately.filter((one) => isWithin(one, RECENT_MS) && isOfProject(one, host))
  const all = sessions.filter((one) => isReadable(one, host))
  // A session that waits for the result of another call hardly makes this one, and a call of an hour ago may be of a dead process.
  const isFree = recent.some((one) => !(pendingOf(one, search) ?? []).some((pending) => !isSameCall(pending, call)))
  const asleep = isFree ? [] : all.slice(0, MAX_ASLEEP).filter((one) => isWaiting(one, search))
  if (asleep.length > 0) return onlyOne([...asleep, ...recent], search)
  if (recent.some((one) => isWithin(one, RUNNING_MS))) return onlyOne(recent, search)
  throw askBack('No session of this folder has changed in the last minute.', all, known)
}

/** More sessions are not looked through for a call that has waited for more than an hour. */
const MAX_ASLEEP = 20

function onlyOne(sessions: readonly StoredSession[], { known }: Search): StoredSession {
  const [first] = sessions
  if (first !== undefined && sessions.length === 1) return first
  throw askBack(`${sessions.length} sessions of this folder may be yours.`, sessions, known)
}

/** Returns the session that a variable names, unless it may be from before the user began another one. */
function newestOwn(current: StoredSession, sessions: readonly StoredSession[], search: Search): StoredSession {
  const newer = sessions.filter((one) => one.modifiedMs > current.modifiedMs && isOfProject(one, search.host))
  return onlyOne([...newer, current], search)
}

const sessionsOf = (agent: string | undefined, { listFiles, listRunningOf }: McpHost): StoredSession[] =>
  agent === undefined ? listFiles() : (listRunningOf(agent) ?? listFiles().filter((one) => one.agent === agent))

const isWithin = ({ modifiedMs }: StoredSession, ms: number): boolean => Date.now() - modifiedMs < ms

/** Whether the server may read a session: only those of its folder, unless its user wants all. */
export const isReadable = (stored: StoredSession, host: McpHost): boolean =>
  host.isForAllProjects || isOfProject(stored, host)

function isOfProject({ project }: StoredSession, { folder }: McpHost): boolean {
  const own = project()
  return own !== undefined && realPath(own) === realPath(folder)
}

/** Returns a session that an agent says is its own. @throws Error if it is one of another folder */
function checkOwn(own: StoredSession, { host }: Search): StoredSession {
  if (isReadable(own, host)) return own
  throw new Error(
    `${own.agent} says that its session is ${quoteName(own.id)}, which is not one of this folder ` +
      `(${quoteName(host.folder)}). Sessions of other folders are not read, unless the user starts this server with ` +
      '`--all-projects`: ask the user.',
  )
}

function orMissing(id: string, agent: string): never {
  throw new Error(
    `${agent} says that its session is ${quoteName(id)}, and there is no such file. If a variable moves the folder of ` +
      `${agent} (docs/mcp.md), this server needs it too: ask the user.`,
  )
}

/** Whether the last answer of a session has this call, without a result. */
function isWaiting(stored: StoredSession, search: Search): boolean {
  const { call } = search
  // To read a session whole takes longer than to look at its end.
  if (stored.pending === undefined && stored.path !== undefined && !hasAtEnd(stored.path, call.name)) return false
  return pendingOf(stored, search)?.some((pending) => isSameCall(pending, call)) === true
}

/** Returns the calls of the last answer of a session without a result; undefined if the session cannot be read. */
function pendingOf(stored: StoredSession, { known }: Search): StoredSession['pending'] {
  try {
    return stored.pending ?? pendingCallsIn(known.open(stored).branch)
  } catch {
    return undefined
  }
}

/** A client of the protocol that is an agent with sessions. */
interface KnownClient extends McpClient {
  /** The name of the agent, as `precis list` writes it. */
  agent: string
}

const CLIENTS: readonly KnownClient[] = Object.values<Agent>(AGENTS)
  .flatMap(({ homes = [], database = [] }) => [...homes, database].flat())
  .flatMap(({ name: agent, mcpClient }) => (mcpClient === undefined ? [] : [{ agent, ...mcpClient }]))

const clientNamed = (name: string): KnownClient | undefined => CLIENTS.find((one) => one.name.test(name))

/** Calls that are made at the same time may have long arguments. */
const END_BYTES = 1_048_576

const hasAtEnd = (path: string, text: string): boolean =>
  readPart(path, (size) => size - END_BYTES, END_BYTES).includes(text)
