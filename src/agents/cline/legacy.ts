import { fieldsOf, type ElementPlace } from '../../session/entry.ts'
import { textIn } from '../../text/tagged-text.ts'
import { plainText } from '../apis/anthropic-blocks.ts'
import type { ValueReader } from '../reader.ts'
import { asText, type Fields } from '../shared/values.ts'
import { isTalkTool } from './answers.ts'
import { ResultMessage } from './results.ts'

interface Stored {
  message: Fields
  place: ElementPlace
}

interface TextCall {
  id: string
  name: string
}

/** Prepares messages of old versions of Cline, of Roo and of Kilo, and passes them on as messages of Anthropic's API. */
export class LegacyReader implements ValueReader {
  readonly #next: ValueReader
  readonly #messages: Stored[] = []
  /** The ids of the calls in the newest answer that have no result yet, by the name of the tool. */
  #calls = new Map<string, Iterator<string, undefined>>()
  /** The text of the newest answer. */
  #answer = ''
  /** The names of the tools, by the id of each call that is a block. */
  readonly #toolNames = new Map<string, string>()

  constructor(next: ValueReader) {
    this.#next = next
  }

  read(value: unknown, place: ElementPlace): void {
    this.#messages.push({ message: fieldsOf(value), place })
  }

  /** Messages before a truncation are not sent to the model. Those that a summary covers are before it. */
  end(): void {
    const markers = new Set(
      this.#messages.flatMap(({ message }) => (message['isTruncationMarker'] === true ? message['truncationId'] : [])),
    )
    const sent = this.#messages.filter(
      ({ message }) => message['isTruncationMarker'] !== true && !markers.has(message['truncationParent'] ?? ''),
    )
    for (const [position, { message, place }] of sent.entries()) {
      const following = sent[position + 1]?.message ?? {}
      this.#next.read(this.#convert(message, { place, following }), place)
    }
    this.#next.end?.({})
  }

  #convert(message: Fields, { place, following }: { place: ElementPlace; following: Fields }): Fields {
    const { role, content, type, reasoning_content: reasoning } = message
    if (type === 'reasoning') return { ...message, content: thinkingBlocks(textsOf(message['summary'])) }
    const blocks = blocksOf(content)
    if (message['isSummary'] === true) return message
    if (role === 'user') return { ...message, content: this.#joinResults(blocks) }
    for (const { type: kind, id, name } of blocks.map(fieldsOf))
      if (kind === 'tool_use') this.#toolNames.set(asText(id), asText(name))
    this.#answer = plainText(blocks)
    const next = new ResultMessage(this.#toolNames, this.#answer)
    if (following['role'] === 'user') for (const block of blocksOf(following['content'])) next.add(fieldsOf(block))
    const calls = withCalls(
      blocks.flatMap((block) => readCalls(asText(fieldsOf(block)['text']))),
      next,
    )
    const named = calls.map((call, position) => ({ ...call, id: `xml:${place.index + 1}.${position + 1}` }))
    this.#calls = new Map(
      [...groupIds(named)].map(([name, ids]) => [name, ids.values() as Iterator<string, undefined>]),
    )
    return { ...message, content: [...thinkingBlocks([asText(reasoning)]), ...blocks.map(withoutTalk), ...named] }
  }

  /** Joins the results that are text in a message of the user (`results.ts`) with their calls. */
  #joinResults(blocks: readonly unknown[]): unknown[] {
    const message = new ResultMessage(this.#toolNames, this.#answer)
    for (const block of blocks) message.add(fieldsOf(block))
    return message.blocks((name) => this.#take(name))
  }

  #take(name: string): string {
    return this.#calls.get(name)?.next().value ?? ''
  }
}

/** Returns the call with which the agent ends its turn as the text that it says there; other blocks as they are. */
function withoutTalk(block: unknown): unknown {
  const { type, name, input } = fieldsOf(block)
  const { result, response } = fieldsOf(input)
  const text = asText(result) || asText(response)
  return type === 'tool_use' && isTalkTool(asText(name)) && text !== '' ? { type: 'text', text } : block
}

const blocksOf = (content: unknown): readonly unknown[] =>
  Array.isArray(content) ? (content as unknown[]) : [{ type: 'text', text: content }]

/** Tools that old versions call in the text of an answer, with the arguments that are read; heads name the first of them. */
const XML_TOOLS: Readonly<Record<string, readonly string[]>> = {
  read_file: ['path'],
  write_to_file: ['path', 'content'],
  replace_in_file: ['path', 'diff'],
  apply_diff: ['path', 'diff'],
  execute_command: ['command'],
}

interface ReadCall {
  type: 'tool_use'
  name: string
  input: object
}

/** Returns the calls in a text: `<read_file><path>a.ts</path></read_file>`. */
function readCalls(text: string): ReadCall[] {
  return Object.entries(XML_TOOLS).flatMap(([name, names]) => {
    const call = textIn(text, name)
    if (call === undefined) return []
    const values = names.map((one) => [one, textIn(call, one)?.trim()] as const)
    return [{ type: 'tool_use', name, input: Object.fromEntries(values.filter(([, value]) => value !== undefined)) }]
  })
}

function groupIds(calls: readonly TextCall[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { id, name } of calls) {
    const ids = groups.get(name)
    if (ids === undefined) groups.set(name, [id])
    else ids.push(id)
  }
  return groups
}

/** Adds the calls of other tools, and second calls of the same one, which the results of the next message name. */
function withCalls(calls: readonly ReadCall[], next: ResultMessage): ReadCall[] {
  const open = new Map<string, number>()
  for (const { name } of calls) open.set(name, (open.get(name) ?? 0) + 1)
  const added = next.textResults().flatMap(({ tool: name, about }): ReadCall[] => {
    const left = open.get(name) ?? 0
    if (left === 0) return [{ type: 'tool_use', name, input: argumentsIn(name, about) }]
    open.set(name, left - 1)
    return []
  })
  return [...calls, ...added]
}

/** Returns the argument in a head, `for 'src/a.ts'`. */
function argumentsIn(tool: string, about: string): object {
  const quoted = about.startsWith("for '") && about.endsWith("'") ? about.slice("for '".length, -1) : ''
  return quoted === ''
    ? {}
    : { [XML_TOOLS[tool]?.[0] ?? (tool === 'ask_followup_question' ? 'question' : 'about')]: quoted }
}

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.map((part) => asText(part) || asText(fieldsOf(part)['text'])) : [asText(list)]

const thinkingBlocks = (texts: readonly string[]): object[] =>
  texts.filter((text) => text !== '').map((thinking) => ({ type: 'thinking', thinking }))
