import { isPlainObject, parseJson } from '../session/entry.ts'
import { toolCallsOf, type Message, type ToolCallBlock } from '../session/message.ts'
import { isEmptyArgument, TOOLS, type ToolCall } from './tools.ts'

type WrittenCall = Pick<ToolCallBlock, 'name' | 'arguments'>

/** Returns the calls of the last answer of a branch that wait for their results. */
export function pendingCallsIn(branch: readonly { message?: Message | undefined }[]): WrittenCall[] {
  const messages = branch.flatMap(({ message }) => message ?? [])
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const [answer, ...later] = messages.slice(Math.max(0, last))
  // The user has gone on without them.
  if (answer === undefined || later.some(({ role }) => role === 'user')) return []
  const answered = new Set(later.flatMap((one) => (one.role === 'toolResult' ? [one.toolCallId] : [])))
  return toolCallsOf(answer).filter(({ id }) => !answered.has(id))
}

type WantedCall = Pick<ToolCall, 'name' | 'args'>

/** Returns whether an agent has written a call of a tool with these arguments. */
export function isSameCall({ name, arguments: written }: WrittenCall, wanted: WantedCall): boolean {
  const given = readFields(written)
  if (given === undefined) return false
  if (isNameOf(name, wanted.name)) return hasArguments(given, wanted)
  // Some agents call tools of others through one of their own: one value names the tool, another one is its arguments.
  const values = Object.values(given)
  return (
    values.some((value) => typeof value === 'string' && isNameOf(value, wanted.name)) &&
    values.some((value) => {
      const inner = readFields(value)
      return inner !== undefined && hasArguments(inner, wanted)
    })
  )
}

/** Agents write the name of the server, which the user chooses, before that of the tool; oh-my-pi also `xd://`. */
const isNameOf = (written: string, name: string): boolean => {
  const before = written.replace(/^xd:\/\//, '').slice(0, -name.length)
  return written.endsWith(name) && /^(?:[\w.-]{0,200}[_.-])?$/.test(before)
}

/** Whether arguments are the wanted ones. An agent may write further ones for itself, but none that the tool knows. */
function hasArguments(given: Readonly<Record<string, unknown>>, { name, args }: WantedCall): boolean {
  const known = Object.keys(TOOLS[name].properties).filter((key) => !isEmptyArgument(given[key]))
  return (
    known.every((key) => args[key] !== undefined) && Object.keys(args).every((key) => isSame(given[key], args[key]))
  )
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns an object, also of its JSON text. */
function readFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const read = typeof value === 'string' && value.trimStart().startsWith('{') ? parseJson(value) : value
  return isPlainObject(read) ? read : undefined
}
