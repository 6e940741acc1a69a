import { readMixedChat, type ChatEntry, type MixedChat } from '../../agents/apis/read-mixed-chat.ts'
import { findValidCutPoints } from '../../plan/choose-cut.ts'
import { fieldsOf, isObject } from '../../session/entry.ts'
import { truncateMiddle } from '../../text/shorten.ts'
import { estimateTextTokens, measureChat, type ChatTokens } from '../../tokens/estimate-tokens.ts'

/** The messages of a request, and what was read from them. */
export interface MeasuredMessages {
  values: readonly unknown[]
  chat: MixedChat
  sizes: ChatTokens
}

/** A group of messages that takes more of the room is shortened, to the other share. */
const MOST = 15 / 16
const SHORTENED = 1 / 2

/**
 * Returns the messages of a conversation that exceeds its limit, so that each group can be kept: a message alone, or a call
 * with its results. A group that leaves no room for anything else loses the middle of its longest texts. The result depends
 * only on the group and, in steps of a sixteenth of the limit, on the size of the instructions: it stays the same from turn to
 * turn. What has no text is never shortened.
 */
export function shortenMessages(measured: MeasuredMessages, limitTokens: number): MeasuredMessages {
  const { values, sizes } = measured
  const { instructionTokens, toEnd } = sizes
  const room = (Math.floor(((limitTokens - instructionTokens) * 16) / limitTokens) * limitTokens) / 16
  if (instructionTokens + (toEnd[0] ?? 0) <= limitTokens || room <= 0) return measured
  const shortened = [...values]
  for (const { messages, tokens } of groupsOf(measured))
    if (tokens > room * MOST) shortenGroup({ shortened, messages }, room * SHORTENED - tokens)
  return shortened.some((value, index) => value !== values[index]) ? measureMessages(shortened) : measured
}

function* groupsOf({ values, chat: { entries, instructions }, sizes: { toEnd } }: MeasuredMessages) {
  const starts = [0, ...cutPositions(entries)]
  for (const [order, start] of starts.entries()) {
    const end = starts[order + 1] ?? entries.length
    const from = entries[start]?.index ?? values.length
    const length = (entries[end]?.index ?? values.length) - from
    const messages = Array.from({ length }, (_, index) => from + index).filter((index) => !instructions.has(index))
    yield { messages, tokens: (toEnd[start] ?? 0) - (toEnd[end] ?? 0) }
  }
}

/** Returns messages with their tokens. */
export function measureMessages(values: readonly unknown[]): MeasuredMessages {
  const chat = readMixedChat(values)
  return { values, chat, sizes: measureChat(chat) }
}

/** Returns the entries before which a chat may be cut: between values, never between a call and its results. */
export const cutPositions = (entries: readonly ChatEntry[]): number[] =>
  findValidCutPoints({ branch: entries, playStart: 0, start: 0 }).filter(
    (position) => position > 0 && entries[position - 1]?.index !== entries[position]?.index,
  )

interface Group {
  shortened: unknown[]
  /** The positions of its messages. */
  messages: readonly number[]
}

/** Shortens the longest texts of a group to one length, so that the group has as many tokens fewer (a negative number). */
function shortenGroup({ shortened, messages }: Group, byTokens: number): void {
  const sizes: number[] = []
  for (const index of messages)
    mapTexts(shortened[index], (text) => {
      sizes.push(estimateTextTokens(text))
      return text
    })
  const most = commonLimit(
    sizes,
    sizes.reduce((sum, size) => sum + size, byTokens),
  )
  for (const index of messages) {
    let changes = 0
    const message = mapTexts(shortened[index], (text) => {
      const short = shortenTo(text, most)
      if (short !== text) changes += 1
      return short
    })
    if (changes > 0) shortened[index] = message
  }
}

/** Returns the number of tokens to which texts are cut, so that all of them have a number of tokens at most. */
function commonLimit(sizes: readonly number[], totalTokens: number): number {
  let left = totalTokens
  for (const [index, size] of [...sizes].sort((a, b) => a - b).entries()) {
    const share = left / (sizes.length - index)
    if (size > share) return Math.max(0, share)
    left -= size
  }
  return Infinity
}

/** Shorter texts are not cut: their note would be as long. */
const MIN_CHARACTERS = 160

function shortenTo(text: string, maxTokens: number): string {
  let short = text
  let characters = text.length
  for (let tokens = estimateTextTokens(text); tokens > maxTokens; tokens = estimateTextTokens(short)) {
    if (characters <= MIN_CHARACTERS) return short
    characters = Math.max(MIN_CHARACTERS, Math.floor((characters * 0.9 * maxTokens) / tokens))
    short = truncateMiddle(text, characters)
  }
  return short
}

type Change = (text: string) => string

/** Returns a message with other texts: its content, the results of tools in it, and the arguments of its calls. */
function mapTexts(value: unknown, change: Change): unknown {
  const fields = fieldsOf(value)
  const { content, tool_calls: calls } = fields
  return {
    ...fields,
    ...('content' in fields && { content: mapContent(content, change) }),
    ...(Array.isArray(calls) && { tool_calls: calls.map((call: unknown) => mapCall(call, change)) }),
  }
}

function mapContent(content: unknown, change: Change, isInner = false): unknown {
  if (typeof content === 'string') return change(content)
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) => {
    const fields = fieldsOf(part)
    if (typeof fields['text'] === 'string') return { ...fields, text: change(fields['text']) }
    if (fields['type'] === 'tool_use') return { ...fields, input: mapStrings(fields['input'], change) }
    return isInner || !('content' in fields)
      ? part
      : { ...fields, content: mapContent(fields['content'], change, true) }
  })
}

function mapCall(call: unknown, change: Change): unknown {
  const fields = fieldsOf(call)
  const called = fieldsOf(fields['function'])
  const { arguments: json } = called
  if (typeof json !== 'string') return call
  try {
    const input: unknown = JSON.parse(json)
    const shorter = mapStrings(input, change)
    // Written anew, numbers could change: 1.0, or those of more than 53 bits.
    const isSame = Object.entries(fieldsOf(input)).every(([name, value]) => fieldsOf(shorter)[name] === value)
    return isSame ? call : { ...fields, function: { ...called, arguments: JSON.stringify(shorter) } }
  } catch {
    return call // Arguments that are not JSON stay: the model's server may check them.
  }
}

/** Returns arguments with other strings. Those inside of other objects stay: most tools have flat ones. */
function mapStrings(input: unknown, change: Change): unknown {
  if (!isObject(input)) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
  )
}
