import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf, parseJson } from '../session/entry.ts'
import type { McpHost } from './host.ts'
import type { ToolCall } from './tools.ts'

/** What a client says of the session that calls. */
interface OwnSession {
  /** The id of its session. */
  id?: string | undefined
  /** False for an id that a client keeps after its user has begun another session. */
  isCurrent?: boolean
  /** A text that only the calling session has, near the end of its file. */
  mark?: string | undefined
}

/** A client of the protocol that is an agent with sessions. */
interface McpClient {
  /** The name of the agent, as `precis list` writes it. */
  agent: string
  /** The name that it gives as a client. */
  name: RegExp
  /** Left out for clients that say nothing. */
  ownSession?: (call: ToolCall, host: McpHost) => OwnSession
}

/**
 * The agents, and what each says of a call (November 2026). Variables count for the agent alone that sets them: an agent that is
 * started by another one inherits those of the other.
 */
const CLIENTS: readonly McpClient[] = [
  { agent: 'Claude Code', name: /^claude-code$/, ownSession: sessionOfClaudeCode },
  // 0.169.0
  { agent: 'Codex', name: /^codex\b/, ownSession: ({ meta }) => ({ id: textOf(meta['threadId']), isCurrent: true }) },
  // 0.24.4: the variable is set when the agent starts.
  { agent: 'Qwen Code', name: /^qwen\b/, ownSession: (_call, { env }) => ({ id: env['QWEN_CODE_SESSION_ID'] }) },
  { agent: 'Gemini CLI', name: /^gemini-cli\b/ },
  { agent: 'opencode', name: /^opencode\b/ },
  { agent: 'pi', name: /^pi$/ },
  { agent: 'oh-my-pi', name: /^omp\b/ },
  { agent: 'Cline', name: /^@?cline\b/ },
]

/** Returns the agent that a client is; undefined for others. */
export const clientNamed = (name: string): McpClient | undefined => CLIENTS.find((one) => one.name.test(name))

/**
 * Claude Code 2.1.330 has a file for each of its processes, with the session that it has now; its variable keeps the id from
 * before `/clear`. The line with a call is written before the call is made.
 */
function sessionOfClaudeCode({ meta }: ToolCall, { env, home, parents }: McpHost): OwnSession {
  const folder = join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'sessions')
  const live = parents().flatMap((pid) => textOf(readFields(join(folder, `${pid}.json`))['sessionId']) ?? [])
  const [id] = live
  const mark = textOf(meta['claudecode/toolUseId'])
  return id === undefined ? { id: env['CLAUDE_CODE_SESSION_ID'], mark } : { id, isCurrent: true, mark }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function readFields(path: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(parseJson(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}

/** Calls that are made at the same time may have long arguments. */
const END_BYTES = 1_048_576

/** Returns whether the end of a file has a text. */
export function hasAtEnd(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const end = Buffer.alloc(Math.min(size, END_BYTES))
      const length = readSync(file, end, 0, end.length, size - end.length)
      return end.subarray(0, length).includes(text)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
