import { fieldsOf, type ElementPlace } from '../entry.ts'
import { textOf } from './anthropic-blocks.ts'
import type { FormatReader } from './format.ts'
import { textIn } from './tagged-text.ts'

type Fields = Readonly<Record<string, unknown>>

interface Stored {
  message: Fields
  place: ElementPlace
}

/** Prepares messages of old versions of Cline, of Roo and of Kilo, and passes them on as messages of Anthropic's API. */
export class LegacyReader implements FormatReader {
  readonly #next: FormatReader
  readonly #messages: Stored[] = []
  /** The calls in the newest answer that have no result yet. */
  #calls: string[] = []

  constructor(next: FormatReader) {
    this.#next = next
  }

  read(value: unknown, place: ElementPlace): void {
    this.#messages.push({ message: fieldsOf(value), place })
  }

  /** Messages before a truncation are not sent to the model. Those that a summary covers stand before it. */
  end(): void {
    const markers = new Set(
      this.#messages.flatMap(({ message }) => (message['isTruncationMarker'] === true ? message['truncationId'] : [])),
    )
    for (const { message, place } of this.#messages) {
      const isLeftOut = message['isTruncationMarker'] === true || markers.has(message['truncationParent'] ?? '')
      if (!isLeftOut) this.#next.read(this.#convert(message, place), place)
    }
    this.#next.end?.({})
  }

  #convert(message: Fields, { index }: ElementPlace): Fields {
    const { role, content, type, reasoning_content: reasoning } = message
    if (type === 'reasoning') return { ...message, content: thinkingBlocks(textsOf(message['summary'])) }
    const blocks: unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
    if (message['isSummary'] === true) return message
    if (role === 'user') return { ...message, content: blocks.map((block) => this.#asResult(block)) }
    this.#calls = []
    const calls = blocks.flatMap((block) => readCalls(textOf(fieldsOf(block)['text'])))
    const named = calls.map((call, position) => ({ ...call, id: `xml:${index + 1}.${position + 1}` }))
    this.#calls = named.map(({ id }) => id)
    return { ...message, content: [...thinkingBlocks([textOf(reasoning)]), ...blocks, ...named] }
  }

  /** Results were texts before Cline 3.3x: `[read_file for 'a.ts'] Result:`. */
  #asResult(block: unknown): unknown {
    const text = textOf(fieldsOf(block)['text'])
    const [id] = this.#calls
    if (id === undefined || !TEXT_RESULT.test(text.slice(0, MAX_HEAD_CHARACTERS))) return block
    this.#calls.shift()
    const head = text.indexOf('Result:')
    return { type: 'tool_result', tool_use_id: id, content: text.slice(head + 'Result:'.length).trim() }
  }
}

const MAX_HEAD_CHARACTERS = 500
const TEXT_RESULT = /^\[\w{1,60}(?: for [^\n]*)?\] Result:/

/** Tools that old versions call in the text of an answer, with the arguments that are read. */
const XML_TOOLS: Readonly<Record<string, readonly string[]>> = {
  read_file: ['path'],
  write_to_file: ['path', 'content'],
  replace_in_file: ['path', 'diff'],
  apply_diff: ['path', 'diff'],
  execute_command: ['command'],
}

/** Returns the calls in a text: `<read_file><path>a.ts</path></read_file>`. */
function readCalls(text: string): { type: 'tool_use'; name: string; input: object }[] {
  return Object.entries(XML_TOOLS).flatMap(([name, names]) => {
    const call = textIn(text, name)
    if (call === undefined) return []
    const values = names.map((one) => [one, textIn(call, one)?.trim()] as const)
    return [{ type: 'tool_use', name, input: Object.fromEntries(values.filter(([, value]) => value !== undefined)) }]
  })
}

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.map((part) => textOf(part) || textOf(fieldsOf(part)['text'])) : [textOf(list)]

const thinkingBlocks = (texts: readonly string[]): object[] =>
  texts.filter((text) => text !== '').map((thinking) => ({ type: 'thinking', thinking }))
