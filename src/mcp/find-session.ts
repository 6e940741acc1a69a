import { realpathSync } from 'node:fs'
import { isOpencodeId } from '../agents/opencode/exported.ts'
import { startRedaction } from '../redact/redaction.ts'
import { toolCallsOf, type ToolCallBlock } from '../session/message.ts'
import { clientNamed, hasMark } from './clients.ts'
import type { McpHost, StoredSession } from './host.ts'
import type { KnownSession, KnownSessions } from './known-session.ts'
import { ASKED_BACK, quoteInLine, quoteName } from './quote.ts'
import type { ToolCall } from './tools.ts'

/** An agent writes its session when the user asks, and mostly before each call. */
const RECENT_MS = 60_000

/** A call, and where its session may be. */
interface Search {
  call: ToolCall
  host: McpHost
  known: KnownSessions
}

/**
 * Returns the session that a call is about: the one that it names, or else the one that makes it. It is never guessed.
 * @throws Error that says which sessions it may be
 */
export function findSession(search: Search): StoredSession {
  const { session } = search.call.args
  return typeof session === 'string' && session.trim() !== '' ? findNamed(session.trim(), search) : findCalling(search)
}

function findNamed(text: string, search: Search): StoredSession {
  const { host } = search
  const found = (isPath(text) ? atPath(text, host) : host.named(text, listFor(text, host))).filter(
    (one) => host.isForAllProjects || isOfProject(one, host),
  )
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first !== undefined) throw askBack(`Several sessions are called ${quoteName(text)}.`, found, search)
  throw new Error(
    `There is no session ${quoteName(text)} of this folder (${quoteName(host.folder)}). ` +
      (host.isForAllProjects
        ? 'Leave out `session`, or give the whole id.'
        : 'Leave out `session`, or give the whole id. Sessions of other folders are not read.'),
  )
}

const isPath = (text: string): boolean => /[/\\]/.test(text)

const atPath = (path: string, { listFiles }: McpHost): StoredSession[] => {
  const real = realPath(path)
  return listFiles().filter((one) => one.path !== undefined && realPath(one.path) === real)
}

const listFor = (text: string, { listFiles, listOpencode }: McpHost): StoredSession[] =>
  isOpencodeId(text) ? listOpencode() : listFiles()

/** Returns the session that makes a call: what its client says, or the only one that it can be. */
function findCalling(search: Search): StoredSession {
  const { call, host } = search
  const client = clientNamed(call.client)
  const own = client?.ownSession?.(call, host) ?? {}
  const sessions = sessionsOf(client?.agent, host)
  const current = own.id === undefined ? undefined : sessions.find(({ id }) => id === own.id)
  const recent = sessions.filter((one) => isRecent(one) && isOfProject(one, host))
  const candidates = current === undefined || recent.includes(current) ? recent : [current, ...recent]
  const { mark } = own
  const marked = mark === undefined ? [] : candidates.filter(({ path }) => path !== undefined && hasMark(path, mark))
  if (marked[0] !== undefined && marked.length === 1) return marked[0]
  if (own.isCurrent === true && own.id !== undefined) return current ?? orMissing(own.id, client?.agent ?? '')
  const waiting = candidates.length > 1 ? candidates.filter((one) => isWaiting(one, search)) : []
  if (waiting[0] !== undefined && waiting.length === 1) return waiting[0]
  if (current !== undefined && isRecent(current)) return current
  if (candidates[0] !== undefined && candidates.length === 1) return candidates[0]
  if (candidates.length > 0)
    throw askBack(`${candidates.length} sessions of this folder may be yours.`, candidates, search)
  const all = sessions.filter((one) => isOfProject(one, host))
  throw askBack('No session of this folder has changed in the last minute.', all, search)
}

function sessionsOf(agent: string | undefined, host: McpHost): StoredSession[] {
  if (agent !== 'opencode') return host.listFiles().filter((one) => agent === undefined || one.agent === agent)
  const running = host.listRunningOpencode()
  // Older versions have no command for it.
  return running.length > 0 ? running : host.listOpencode()
}

const isRecent = ({ modifiedMs }: StoredSession): boolean => Date.now() - modifiedMs < RECENT_MS

function isOfProject({ project }: StoredSession, { folder }: McpHost): boolean {
  const own = project()
  return own !== undefined && realPath(own) === realPath(folder)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function orMissing(id: string, agent: string): never {
  throw new Error(
    `${agent} says that its session is ${quoteName(id)}, and there is no such file. If a variable moves the folder of ` +
      `${agent} (docs/mcp.md), this server needs it too: ask the user.`,
  )
}

/** Whether the last answer of a session has this call, without a result. */
function isWaiting(stored: StoredSession, { call, known }: Search): boolean {
  const values = Object.values(call.args).map((value) => JSON.stringify(value))
  try {
    return (stored.pending ?? pendingCalls(known.open(stored))).some((pending) => {
      // Some agents put the call into one of a tool of their own, as a value or as text.
      const written = JSON.stringify([pending.name, pending.arguments]).replaceAll('\\', '')
      return written.includes(call.name) && values.every((value) => written.includes(value.replaceAll('\\', '')))
    })
  } catch {
    return false
  }
}

function pendingCalls({ branch }: KnownSession): ToolCallBlock[] {
  const messages = branch.flatMap(({ message }) => message ?? [])
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const message = messages[last]
  const answered = new Set(messages.slice(last).flatMap((one) => (one.role === 'toolResult' ? [one.toolCallId] : [])))
  return message === undefined ? [] : toolCallsOf(message).filter(({ id }) => !answered.has(id))
}

const MAX_LISTED = 8
const REQUEST_CHARACTERS = 100

/** Returns an error that has the agent choose a session. */
function askBack(why: string, sessions: readonly StoredSession[], { known }: Search): Error {
  if (sessions.length === 0) return new Error(`${why} There is none at all that this agent has written.`)
  const lines = sessions.slice(0, MAX_LISTED).map((one) => `- ${describe(one, known)}`)
  return new Error(
    `${why} Call again ${ASKED_BACK}, which you know by its first request; if you do not, ask the user. Do not guess.\n` +
      lines.join('\n'),
  )
}

const firstRequestIn = ({ passages }: KnownSession): string =>
  passages.find(({ kinds: [kind], tool }) => kind === 'request' && tool === undefined)?.text ?? ''

function describe(stored: StoredSession, known: KnownSessions): string {
  const { id, agent, modifiedMs } = stored
  const facts = `${quoteName(id)} (${agent}, changed ${new Date(modifiedMs).toISOString()})`
  try {
    const request = stored.firstRequest ?? firstRequestIn(known.open(stored))
    const { text } = startRedaction(true, { texts: [request] })
    return `${facts}, first request: ${quoteInLine(text(request), REQUEST_CHARACTERS)}`
  } catch {
    return `${facts}, cannot be read`
  }
}
