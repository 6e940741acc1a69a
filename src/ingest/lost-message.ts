import type { Fault } from '../errors.ts'
import { KNOWN_ROLES, type RawMessage } from '../schemas/message.ts'
import { INSTRUCTION_ROLES } from '../session/read-message.ts'
import { nearName } from '../text/near-name.ts'

const ROLES_OF_CHATS = [...INSTRUCTION_ROLES, 'user', 'assistant', 'tool']

const ROLES_OF_PI = KNOWN_ROLES.filter((role) => !ROLES_OF_CHATS.includes(role))

/** With the roles of oh-my-pi that contribute no message of their own here. */
const ALL_ROLES = new Set([...ROLES_OF_CHATS, ...ROLES_OF_PI, 'pythonExecution', 'fileMention'])

/** The names of other APIs and libraries for these roles: LangChain, Gemini, ShareGPT, older OpenAI. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...(['human', 'client'] as const).map((name) => [name, 'user'] as const),
  ...(['ai', 'model', 'bot', 'gpt'] as const).map((name) => [name, 'assistant'] as const),
  ...(['function', 'tool_result', 'observation'] as const).map((name) => [name, 'tool'] as const),
])

/**
 * Returns the fault of a message in a list whose role is unknown, so that its text would be lost. Messages without content, and roles
 * whose names begin with `_`, are notes of clients: Kimi CLI writes `_checkpoint` and `_usage` among its messages.
 */
export function findLostMessage(raw: RawMessage): Fault | undefined {
  const { role, content, excludeFromContext } = raw as { role: string; content?: unknown; excludeFromContext?: unknown }
  if (ALL_ROLES.has(role) || role.startsWith('_') || excludeFromContext === true || isEmpty(content)) return undefined
  const meant = OTHER_NAMES.get(role.toLowerCase()) ?? nearName(role, ROLES_OF_CHATS)
  const remedy = meant === undefined ? '' : `: did you mean ${meant}?`
  const detail = `must be one of ${ROLES_OF_CHATS.join(', ')} (in messages of pi also ${ROLES_OF_PI.join(', ')})${remedy}`
  return { pointer: '/role', detail }
}

const isEmpty = (content: unknown): boolean =>
  Array.isArray(content) ? content.length === 0 : typeof content !== 'string' || content.trim() === ''
