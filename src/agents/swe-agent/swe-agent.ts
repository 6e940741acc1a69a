import { fieldsOf, jsonOrText, type ElementPlace } from '../../session/entry.ts'
import type { ContentBlock, Message } from '../../session/message.ts'
import type { Agent } from '../agent.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import { eachValue, type Ignore, type ReadEntry, type Sample } from '../reader.ts'
import { blockText, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { asText, listOf, type Fields } from '../shared/values.ts'

/** Trajectories of SWE-agent (`.traj`): its `history`, or the steps in `trajectory` of a file without one. */
export const SWE_AGENT: Agent = {
  id: 'swe-agent',
  reader: { detect: isSweAgent, open: (sink) => eachValue(new MessageReader().read)(sink) },
}

function isSweAgent({ values }: Sample): boolean {
  return values.some((value) => {
    const { message_type: type, role, action, observation, thought } = fieldsOf(value)
    const isStep = [action, observation, thought].every((one) => typeof one === 'string')
    return (typeof type === 'string' && typeof role === 'string') || isStep
  })
}

/** Reads the messages of one session. */
class MessageReader {
  /** The command of the newest answer, in runs without tool calls: the next observation is its output. */
  #commandId: string | undefined
  #hasTask = false

  readonly read = (message: Fields, ignore: Ignore, place: ElementPlace): ReadEntry[] => {
    if (message['is_demo'] === true || message['message_type'] === 'demonstration') return []
    return this.#readMessage(message, ignore, place).map((one) => ({ type: 'message', message: one }))
  }

  #readMessage(message: Fields, ignore: Ignore, { index }: ElementPlace): Message[] {
    const { role, message_type: type } = message
    const content = readAnthropicBlocks(message['content'], ignore).blocks
    switch (role) {
      case 'assistant':
        return [this.#readAnswer(message, content, index)]
      case 'tool':
        return [readResult(callIdOf(message), content)]
      case 'user':
        return this.#readUser(type, content)
      case 'system':
        return []
      case undefined:
        return readStep(message, ignore, commandIdOf(index))
      default:
        ignore('roles', asText(role))
        return []
    }
  }

  #readAnswer(message: Fields, content: readonly ContentBlock[], index: number): Message {
    const action = asText(message['action'])
    const calls = listOf(message['tool_calls']).map(readCall)
    this.#commandId = calls.length === 0 && action !== '' ? commandIdOf(index) : undefined
    const thinking = listOf(message['thinking_blocks']).flatMap((block) => thinkingBlocks(block['thinking']))
    const command = this.#commandId === undefined ? [] : [commandCall(this.#commandId, action)]
    return { role: 'assistant', content: [...thinking, ...content, ...calls, ...command] }
  }

  #readUser(type: unknown, content: ContentBlock[]): Message[] {
    const called = type === 'observation' ? this.#commandId : undefined
    this.#commandId = undefined
    if (called !== undefined) return [readResult(called, content)]
    // The task; what follows it in this role is the output of tools, or a notice of the agent about a bad answer.
    const isTask = !this.#hasTask || type === 'user'
    this.#hasTask = true
    return content.length === 0 ? [] : [{ role: isTask ? 'user' : 'custom', content }]
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

/** The text that SWE-agent writes in the place of an old output. */
const OMITTED = /^Old environment output: \(\d{1,9} lines omitted\)/

/** The commands of its editor, which are tools in runs with tool calls: `edit` changes the file that is open. */
const EDITOR = /^(open|create|edit)[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))/

function commandCall(id: string, command: string): ContentBlock {
  const [, name, ...quoted] = EDITOR.exec(command) ?? []
  if (name === undefined) return toolCall(id, 'bash', { command })
  return toolCall(id, name, name === 'edit' ? { text: command.slice(name.length).trim() } : { path: quoted.join('') })
}

function readCall({ id, function: called }: Fields): ContentBlock {
  const { name, arguments: values } = fieldsOf(called)
  return toolCall(id, name, typeof values === 'string' ? jsonOrText(values || '{}') : values)
}
