import type { ContentBlock, Message, ToolCallBlock } from '../../session/message.ts'
import { readBlocks } from '../../session/parse-transcript.ts'
import { findBlocks, removeBlocks } from '../../text/find-in-text.ts'
import { findBrackets, findFirstBracket, splitBrackets } from '../shared/bracket-labels.ts'
import { toolResult } from '../shared/messages.ts'
import { findForeignCalls, type ForeignCall } from './calls.ts'
import { findEvents, readEventTranscript } from './events.ts'
import { findSpeakers, type SpeakerLabel } from './speaker-labels.ts'

/**
 * Reads a client's transcript in the syntax of its first label (docs/clients.md).
 * @param firstLabel the label of a message that has been taken from its beginning
 */
export function readTranscript(transcript: string, firstLabel?: string): Message[] {
  const events = findEvents(transcript)
  if (events.length > 0) return readEventTranscript(events)
  // Without a text, the label is no message.
  const whole = firstLabel === undefined ? transcript : `${firstLabel}\n\n${transcript}`
  const speakers = findSpeakers(whole)
  if (!isInBrackets(whole, speakers)) return readTurns(whole, speakers)
  const blocks = splitBrackets(whole).slice(firstLabel === undefined ? 0 : 1)
  return readBlocks(blocks).map(({ message }) => message)
}

/** Where a label begins and ends, and whether a tool or the client has written the text after it. */
interface Label {
  start: number
  end: number
  isOthers: boolean
}

/** Returns the labels of the speakers in a transcript in any syntax but that of events. */
export function findLabels(transcript: string): Label[] {
  const speakers = findSpeakers(transcript)
  return isInBrackets(transcript, speakers)
    ? findBrackets(transcript).map(({ start, end, kind, isClients }) => ({
        ...{ start, end, isOthers: isClients === true || kind === 'toolResult' },
      }))
    : speakers.map(({ start, end, speaker }) => ({ start, end, isOthers: isTool(speaker) }))
}

/** Returns whether the first label of a transcript is one in brackets: a tool may have written the other labels. */
function isInBrackets(transcript: string, [first]: readonly SpeakerLabel[]): boolean {
  const start = findFirstBracket(transcript)
  return start >= 0 && start < (first?.start ?? Infinity)
}

function readTurns(transcript: string, labels: readonly SpeakerLabel[]): Message[] {
  const lead = transcript.slice(0, labels[0]?.start ?? transcript.length)
  const ids = { next: 0 }
  return [
    ...readTurn('user', lead, ids),
    ...labels.flatMap(({ speaker, end }, index) =>
      readTurn(speaker, transcript.slice(end, labels[index + 1]?.start), ids),
    ),
  ]
}

/** Speakers that are left out: instructions for the agent, and a model's thinking. */
const UNHEARD = new Set(['system', 'developer', 'thinking'])

/** Marks of a model's thinking, and of results inside another speaker's turn. */
const THINKING: readonly [open: RegExp, close: string][] = [
  [/<think>/, '</think>'],
  [/<thinking>/, '</thinking>'],
  [/```thinking\n/, '\n```'],
]
const RESULTS: readonly [open: RegExp, close: string][] = [
  [/<tool_response>/, '</tool_response>'],
  [/<function_results>/, '</function_results>'],
  [/<tool_result>/, '</tool_result>'],
  [/```tool_outputs\n/, '\n```'],
  [/<[|｜]tool▁output▁begin[|｜]>/, '<｜tool▁output▁end｜>'],
]

function readTurn(speaker: string, raw: string, ids: { next: number }): Message[] {
  if (UNHEARD.has(speaker)) return []
  const text = THINKING.reduce((rest, [open, close]) => removeBlocks(rest, findBlocks(rest, open, close)), raw)
  if (isTool(speaker)) return resultMessages([text], ids)
  const found = RESULTS.map(([open, close]) => findBlocks(text, open, close)).find((blocks) => blocks.length > 0) ?? []
  const results = found.map(({ inner }) => inner)
  const spoken = removeBlocks(text, found)
  const said = speaker === 'user' || speaker === 'human' ? readRequest(spoken) : readAnswer(spoken, ids)
  return [...said, ...resultMessages(results, ids)]
}

const isTool = (speaker: string): boolean => /^(?:tool|function|ipython)/.test(speaker)

function readRequest(text: string): Message[] {
  const content = textBlocks(text)
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

/**
 * Returns the messages of an answer. Text after the last call is a message of its own: the agent wrote it after the
 * results.
 */
function readAnswer(text: string, ids: { next: number }): Message[] {
  const calls = findForeignCalls(text)
  const end = calls.at(-1)?.end ?? text.length
  const before = calls.map(({ start }, index) => text.slice(calls[index - 1]?.end ?? 0, start)).join('')
  const blocks = [...textBlocks(calls.length === 0 ? text : before), ...calls.map((call) => callBlock(call, ids))]
  const after = textBlocks(text.slice(end))
  return [blocks, after].filter((content) => content.length > 0).map((content) => ({ role: 'assistant', content }))
}

const callBlock = ({ name, arguments: values }: ForeignCall, ids: { next: number }): ToolCallBlock => ({
  type: 'toolCall',
  id: `call-${ids.next++}`,
  name,
  arguments: values,
})

/** Returns results for the newest call: the transcript does not say which call they belong to. */
const resultMessages = (texts: readonly string[], ids: { next: number }): Message[] =>
  texts.map((text) => toolResult(`call-${ids.next - 1}`, textBlocks(text)))

/** The tokens of a template that remain after it has been read. */
const TOKENS =
  /<\\?[|｜][a-z_▁]+\\?[|｜]>|<\/?(?:function_calls|start_of_turn|end_of_turn|bos|eos|result|stdout)>|<tool_name>[^<]*<\/tool_name>/gi

function textBlocks(raw: string): ContentBlock[] {
  const text = raw.replace(TOKENS, '').trim()
  return text === '' ? [] : [{ type: 'text', text }]
}
