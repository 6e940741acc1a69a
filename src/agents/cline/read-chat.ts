import { NO_RANGE } from '../../session/entry.ts'
import { wrapCompactionSummary } from '../../session/message-text.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { MessagesReader } from '../apis/anthropic.ts'
import { ROO_SUMMARY } from '../apis/cline-messages.ts'
import { blockText } from '../shared/messages.ts'
import type { Fields } from '../shared/values.ts'
import { CLINE_FORM } from './answers.ts'
import { LegacyReader } from './legacy.ts'

/**
 * Returns the messages of a chat of Roo or Kilo, read like those of its session file: its tags, and the names of its own tools,
 * mark the words of the user. A summary among them becomes a message in the words of this service.
 */
export function readRooChat(messages: readonly Message[]): Message[] {
  const read: Message[] = []
  const sink = {
    add: (entry: Parameters<ConstructorParameters<typeof MessagesReader>[0]['add']>[0]) => {
      if (entry.type === 'message') read.push(entry.message)
      else read.push({ role: 'user', content: textBlocks(wrapCompactionSummary(entry.summary)) })
    },
    ignore: () => undefined,
  }
  const reader = new LegacyReader(new MessagesReader(sink, CLINE_FORM))
  const calls = new TextCalls()
  for (const [index, message] of messages.entries()) reader.read(toValue(message, calls), { index, range: NO_RANGE })
  reader.end()
  return read
}

/** Returns a message as the session file has it. */
function toValue(message: Message, calls: TextCalls): Fields {
  if (!('content' in message)) return {}
  const { role, content } = message
  if (role === 'assistant') return { role, content: [...calls.read(content), ...content.flatMap(toCall)] }
  if (role === 'toolResult')
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: message.toolCallId, content }] }
  const isSummary = blockText(content[0]).startsWith(ROO_SUMMARY)
  return { role: 'user', content: isSummary ? content : calls.join(content), isSummary }
}

const toCall = (block: ContentBlock): Fields[] =>
  block.type === 'toolCall' ? [{ type: 'tool_use', id: block.id, name: block.name, input: block.arguments }] : []

const TOOL_USE = /^\[Tool Use: ([\w-]{1,100})\]$/gm
const TOOL_RESULT = /^\[Tool Result( \(Error\))?\](?:\n|$)/

/** Calls and results that Roo has written as text into the chat of a compaction (3.47), so that it need not name its tools. */
class TextCalls {
  /** The ids of the calls in the newest answer. */
  #ids: string[] = []
  #count = 0

  /** Returns the content of an answer, with the calls in its text as blocks. */
  read(content: readonly ContentBlock[]): object[] {
    this.#ids = []
    return content.filter(({ type }) => type !== 'toolCall').flatMap((block) => this.#split(block))
  }

  #split(block: ContentBlock): object[] {
    const text = blockText(block)
    const marks = [...text.matchAll(TOOL_USE)]
    const calls = marks.map(({ index, 0: mark, 1: name }, at) => {
      const id = `text:${this.#count++}`
      this.#ids.push(id)
      return { type: 'tool_use', id, name, input: readInput(text.slice(index + mark.length, marks[at + 1]?.index)) }
    })
    return calls.length === 0 ? [block] : [...textBlocks(text.slice(0, marks[0]?.index)), ...calls]
  }

  /** Returns the content of a message, with the results in it as blocks. They are in the order of the calls, if all are there. */
  join(content: readonly ContentBlock[]): object[] {
    const results = content.filter((block) => TOOL_RESULT.test(blockText(block)))
    const ids = results.length === this.#ids.length ? this.#ids.values() : [].values()
    return content.map((block) => {
      const [mark, error] = TOOL_RESULT.exec(blockText(block)) ?? []
      if (mark === undefined) return block
      const rest = { content: blockText(block).slice(mark.length), ...(error === undefined ? {} : { is_error: true }) }
      return { type: 'tool_result', tool_use_id: ids.next().value ?? '', ...rest }
    })
  }
}

/** Returns the arguments that are read: each up to the end of its first line, or the whole answer with which the agent ends its turn. */
function readInput(text: string): object {
  const answer = /^\n(result|response): /.exec(text)
  if (answer !== null) return { [answer[1] ?? '']: text.slice(answer[0].length).trim() }
  const lines = [...text.matchAll(/^(path|command|question): (.*)/gm)].reverse()
  return Object.fromEntries(lines.map(([, name = '', value]) => [name, value]))
}
