import type { ContentBlock, Message } from '../../session/message.ts'
import { fieldsOf, type ElementPlace } from '../../session/entry.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import type { SessionReader, ValueReader, EntrySink, Sample } from '../reader.ts'
import { parseArguments } from '../shared/call-output.ts'
import { blockText, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { asText, type Fields } from '../shared/values.ts'

/** Trajectories of SWE-agent (`.traj`): its `history`, or the steps in `trajectory` of a file without one. */
export const sweAgentReader: SessionReader = { detect: isSweAgent, open: (sink) => new HistoryReader(sink) }

function isSweAgent({ values }: Sample): boolean {
  return values.some((value) => {
    const { message_type: type, role, action, observation, thought } = fieldsOf(value)
    const isStep = [action, observation, thought].every((one) => typeof one === 'string')
    return (typeof type === 'string' && typeof role === 'string') || isStep
  })
}

class HistoryReader implements ValueReader {
  readonly #sink: EntrySink
  /** The command of the newest answer, in runs without tool calls: the next observation is its output. */
  #commandId: string | undefined
  #hasTask = false

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const message = fieldsOf(value)
    if (message['is_demo'] === true || message['message_type'] === 'demonstration') return
    for (const read of this.#readMessage(message, place)) this.#sink.add({ type: 'message', message: read }, place)
  }

  #readMessage(message: Fields, place: ElementPlace): Message[] {
    const content = this.#readContent(message['content'])
    switch (message['role']) {
      case 'assistant':
        return [this.#readAnswer(message, content, place)]
      case 'tool':
        return [
          this.#readResult(asText(listOf(message['tool_call_ids'])[0]) || asText(message['tool_call_id']), content),
        ]
      case 'user': {
        const commandId = message['message_type'] === 'observation' ? this.#commandId : undefined
        this.#commandId = undefined
        if (commandId !== undefined) return [this.#readResult(commandId, content)]
        // The task; what follows it in this role is the output of tools, or a notice of the agent about a bad answer.
        const isTask = !this.#hasTask || message['message_type'] === 'user'
        this.#hasTask = true
        return content.length === 0 ? [] : [{ role: isTask ? 'user' : 'custom', content }]
      }
      case 'system':
        return []
      case undefined:
        return this.#readStep(message, place)
      default:
        this.#sink.ignore('roles', asText(message['role']))
        return []
    }
  }

  #readAnswer(message: Fields, content: ContentBlock[], { index }: ElementPlace): Message {
    const thinking = listOf(message['thinking_blocks']).flatMap((block) => thinkingBlocks(fieldsOf(block)['thinking']))
    const calls = listOf(message['tool_calls']).map(readCall)
    const action = asText(message['action'])
    this.#commandId = calls.length === 0 && action !== '' ? `action:${index + 1}` : undefined
    return {
      role: 'assistant',
      content: [
        ...thinking,
        ...content,
        ...calls,
        ...(this.#commandId === undefined ? [] : [commandCall(this.#commandId, action)]),
      ],
    }
  }

  #readStep({ thought, response, action, observation }: Fields, { index }: ElementPlace): Message[] {
    const id = `action:${index + 1}`
    const content = this.#readContent(asText(thought) || response)
    if (asText(action) === '') return content.length === 0 ? [] : [{ role: 'assistant', content }]
    return [
      { role: 'assistant', content: [...content, commandCall(id, asText(action))] },
      this.#readResult(id, this.#readContent(observation)),
    ]
  }

  #readResult(toolCallId: string, content: ContentBlock[]): Message {
    return toolResult(toolCallId, content, { isPruned: OMITTED.test(blockText(content[0]).slice(0, 100)) })
  }

  #readContent(content: unknown): ContentBlock[] {
    return readAnthropicBlocks(content, (type) => {
      this.#sink.ignore('blocks', type)
    }).blocks
  }
}

/** What SWE-agent writes in the place of an old output. */
const OMITTED = /^Old environment output: \(\d{1,9} lines omitted\)/

const commandCall = (id: string, command: string): ContentBlock => toolCall(id, 'bash', { command })

function readCall(call: unknown): ContentBlock {
  const { id, function: called } = fieldsOf(call)
  const { name, arguments: values } = fieldsOf(called)
  return toolCall(id, name, typeof values === 'string' ? parseArguments(values) : values)
}

const listOf = (list: unknown): unknown[] => (Array.isArray(list) ? list : [])
