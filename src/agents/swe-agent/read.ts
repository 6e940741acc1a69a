import type { ContentBlock, Message } from '../../session/message.ts'
import { fieldsOf, type ElementPlace } from '../../session/entry.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import { eachValue, type Ignore, type ReadEntry, type Sample, type SessionReader } from '../reader.ts'
import { parseArguments } from '../shared/call-output.ts'
import { blockText, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { asText, listOf, type Fields } from '../shared/values.ts'

/** Trajectories of SWE-agent (`.traj`): its `history`, or the steps in `trajectory` of a file without one. */
export const sweAgentReader: SessionReader = {
  detect: isSweAgent,
  open: (sink) => eachValue(messageReader())(sink),
}

function isSweAgent({ values }: Sample): boolean {
  return values.some((value) => {
    const { message_type: type, role, action, observation, thought } = fieldsOf(value)
    const isStep = [action, observation, thought].every((one) => typeof one === 'string')
    return (typeof type === 'string' && typeof role === 'string') || isStep
  })
}

/** Returns a function that reads the messages of one session. */
function messageReader(): (message: Fields, ignore: Ignore, place: ElementPlace) => ReadEntry[] {
  /** The command of the newest answer, in runs without tool calls: the next observation is its output. */
  let commandId: string | undefined
  let hasTask = false

  const readUser = (type: unknown, content: ContentBlock[]): Message[] => {
    const called = type === 'observation' ? commandId : undefined
    commandId = undefined
    if (called !== undefined) return [readResult(called, content)]
    // The task; what follows it in this role is the output of tools, or a notice of the agent about a bad answer.
    const isTask = !hasTask || type === 'user'
    hasTask = true
    return content.length === 0 ? [] : [{ role: isTask ? 'user' : 'custom', content }]
  }

  const readMessage = (message: Fields, ignore: Ignore, { index }: ElementPlace): Message[] => {
    const { role, message_type: type, action } = message
    const content = readAnthropicBlocks(message['content'], ignore).blocks
    switch (role) {
      case 'assistant': {
        const calls = listOf(message['tool_calls']).map(readCall)
        commandId = calls.length === 0 && asText(action) !== '' ? commandIdOf(index) : undefined
        const thinking = listOf(message['thinking_blocks']).flatMap((block) => thinkingBlocks(block['thinking']))
        const command = commandId === undefined ? [] : [commandCall(commandId, asText(action))]
        return [{ role, content: [...thinking, ...content, ...calls, ...command] }]
      }
      case 'tool':
        return [readResult(callIdOf(message), content)]
      case 'user':
        return readUser(type, content)
      case 'system':
        return []
      case undefined:
        return readStep(message, ignore, commandIdOf(index))
      default:
        ignore('roles', asText(role))
        return []
    }
  }

  return (message, ignore, place) => {
    if (message['is_demo'] === true || message['message_type'] === 'demonstration') return []
    return readMessage(message, ignore, place).map((one) => ({ type: 'message', message: one }))
  }
}

const callIdOf = ({ tool_call_ids: ids, tool_call_id: id }: Fields): string =>
  asText(Array.isArray(ids) ? ids[0] : undefined) || asText(id)

const commandIdOf = (index: number): string => `action:${index + 1}`

function readStep({ thought, response, action, observation }: Fields, ignore: Ignore, id: string): Message[] {
  const content = readAnthropicBlocks(asText(thought) || response, ignore).blocks
  if (asText(action) === '') return content.length === 0 ? [] : [{ role: 'assistant', content }]
  return [
    { role: 'assistant', content: [...content, commandCall(id, asText(action))] },
    readResult(id, readAnthropicBlocks(observation, ignore).blocks),
  ]
}

const readResult = (toolCallId: string, content: ContentBlock[]): Message =>
  toolResult(toolCallId, content, { isPruned: OMITTED.test(blockText(content[0]).slice(0, 100)) })

/** What SWE-agent writes in the place of an old output. */
const OMITTED = /^Old environment output: \(\d{1,9} lines omitted\)/

const commandCall = (id: string, command: string): ContentBlock => toolCall(id, 'bash', { command })

function readCall({ id, function: called }: Fields): ContentBlock {
  const { name, arguments: values } = fieldsOf(called)
  return toolCall(id, name, typeof values === 'string' ? parseArguments(values) : values)
}
