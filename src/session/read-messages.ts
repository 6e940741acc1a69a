import type { RawMessage } from '../schemas/message.ts'
import type { Entry } from './entry.ts'
import { toolCallsOf, type Message } from './message.ts'
import { readMessage } from './read-message.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import type { Session } from './read-session.ts'

/**
 * Reads the messages form as a session of one line, with the ids `m0`, `m1`, ... OpenAI's tool messages do not tell
 * the tool's name: they take it from the call that they answer.
 */
export function* readMessages(rawMessages: readonly RawMessage[]): Steps<Session> {
  const toolNames = new Map<string, string>()
  const entries = yield* mapInSteps(rawMessages, (raw, index): Entry => {
    const message = nameTool(readMessage(raw), toolNames)
    return {
      index,
      id: `m${index}`,
      parentId: index === 0 ? null : `m${index - 1}`,
      type: 'message',
      ...(message === undefined ? {} : { message }),
      raw: { type: 'message', message: raw },
    }
  })
  return { entries, byId: new Map(entries.map((entry) => [entry.id, entry])) }
}

function nameTool(message: Message | undefined, toolNames: Map<string, string>): Message | undefined {
  if (message === undefined) return undefined
  for (const call of toolCallsOf(message)) toolNames.set(call.id, call.name)
  if (message.role !== 'toolResult' || message.toolName !== '') return message
  return { ...message, toolName: toolNames.get(message.toolCallId) ?? '' }
}
