import type { ContentBlock, Message, ToolCallBlock } from '../../session/message.ts'
import { findBlocks, removeBlocks } from '../../text/find-in-text.ts'
import { parseConversation } from '../../session/parse-transcript.ts'
import { LABELS } from '../../session/transcript.ts'
import { findEvents, readEvents } from './event-transcript.ts'
import { findForeignCalls, type ForeignCall } from './foreign-calls.ts'

/** Labels in brackets at the beginnings of lines: ours, and those of opencode 1.18 and Cline 3.0, by what they mean. */
const BRACKET_LABELS: Readonly<Record<string, string>> = {
  User: LABELS.user,
  Assistant: LABELS.assistant,
  'Assistant thinking': LABELS.thinking,
  'Assistant tool calls': LABELS.toolCalls,
  'Tool result': LABELS.toolResult,
  'Assistant reasoning': LABELS.thinking,
  'Assistant tool call': LABELS.toolCalls,
  'Tool error': LABELS.toolResult,
  Bot: LABELS.assistant,
  'Bot thinking': LABELS.thinking,
  'Bot tool calls': LABELS.toolCalls,
}

const OWN_LABEL = /^\[(?:User|Assistant(?: thinking| tool calls)?|Tool result)\]: /m
const FOREIGN_LABEL = /^\[(?:Assistant reasoning|Assistant tool call|Tool error|Bot(?: thinking| tool calls)?)\]: /m
const BRACKET_LABEL =
  /^\[(User|Assistant(?: thinking| tool calls?| reasoning)?|Tool (?:result|error)|Bot(?: thinking| tool calls)?)\]: /gm

/** Reads a client's transcript in any syntax (docs/clients.md). */
export function readTranscript(transcript: string): Message[] {
  const events = findEvents(transcript)
  if (events.length > 0) return readEvents(events)
  // opencode writes a result on the line after its call.
  const text = FOREIGN_LABEL.test(transcript)
    ? transcript.replace(BRACKET_LABEL, (label, name: string) => `\n${BRACKET_LABELS[name] ?? label} `)
    : transcript
  if (OWN_LABEL.test(text)) return parseConversation(text).map(({ message }) => message)
  return parseForeignTranscript(text)
}

/** Returns where the label of each speaker begins and ends in a transcript in any syntax but that of events. */
export function findLabels(transcript: string): { start: number; end: number }[] {
  if (!OWN_LABEL.test(transcript) && !FOREIGN_LABEL.test(transcript)) return findSpeakers(transcript)
  return Array.from(transcript.matchAll(BRACKET_LABEL), ({ index, 0: label }) => ({
    start: index,
    end: index + label.length,
  }))
}

/**
 * Reads a transcript in a foreign syntax as far as possible: the speakers, the calls and their results. Text without a
 * speaker is one user message.
 */
export function parseForeignTranscript(transcript: string): Message[] {
  const labels = findSpeakers(transcript)
  const lead = transcript.slice(0, labels[0]?.start ?? transcript.length)
  const ids = { next: 0 }
  return [
    ...readTurn('user', lead, ids),
    ...labels.flatMap(({ speaker, end }, index) =>
      readTurn(speaker, transcript.slice(end, labels[index + 1]?.start), ids),
    ),
  ]
}

/**
 * The labels of speakers in transcripts, each with its source. oh-my-pi 18.2.3 writes a transcript in the syntax of the
 * user's main model (docs/clients.md), with a backslash before a token's bars.
 */
const SPEAKERS: readonly RegExp[] = [
  // Chat labels and Markdown: "Human: ", "**User:** ", "### Assistant:"
  /^(?:#{1,4} |\*\*)?(?<speaker>user|human|assistant|ai|model|system|tool(?: result| response)?|function):(?:\*\*)?[ \t]*/gim,
  // Aider 0.86
  /^# (?<speaker>USER|ASSISTANT)\n/gm,
  // ChatML (Qwen): <|im_start|>user
  /<\\?\|im_start\\?\|>(?<speaker>user|assistant|system|tool)\b[^\n]*\n?/g,
  // Harmony (gpt-oss, GPT-5): <|start|>assistant<|channel|>final<|message|>; a call's channel names its tool
  /<\\?\|start\\?\|>(?<speaker>[\w.]+)(?:[^\w.<][^<]*)?(?:<\\?\|channel\\?\|>(?:(?<channel>\w+)<\\?\|message\\?\|>|(?=commentary to=)))?/g,
  // Kimi: <|im_user|>user<|im_middle|>; a result is <|im_system|>edit<|im_middle|>## Return of functions.edit:0
  /<\\?\|im_(?:(?<speaker>user|assistant)\\?\|>[^<]*|system\\?\|>(?<channel>[^<]*))<\\?\|im_middle\\?\|>/g,
  // DeepSeek: <｜User｜>
  /<[|｜](?<speaker>User|Assistant|System)[|｜]>/g,
  // Gemma, Gemini: <start_of_turn>model
  /<start_of_turn>(?<speaker>user|model)\n/g,
  // Llama: <|start_header_id|>user<|end_header_id|>
  /<\\?\|start_header_id\\?\|>(?<speaker>user|assistant|system|ipython|tool)<\\?\|end_header_id\\?\|>/g,
]

interface SpeakerLabel {
  speaker: string
  start: number
  end: number
}

/** Finds the labels of a transcript in one syntax: the one that names the most speakers. */
function findSpeakers(transcript: string): SpeakerLabel[] {
  const found = SPEAKERS.map((pattern) => [...transcript.matchAll(pattern)])
  const most = found.reduce((best, matches) => (matches.length > best.length ? matches : best), [])
  return most.map((match) => ({
    speaker: nameSpeaker(match.groups ?? {}),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/**
 * Returns the speaker of a label. Harmony's thinking is a channel of the assistant; Kimi's results are the system's, in
 * a channel with the name of the tool.
 */
function nameSpeaker({ speaker = 'system', channel = '' }: Record<string, string | undefined>): string {
  if (channel === 'analysis') return 'thinking'
  if (speaker === 'system' && channel !== '' && channel !== 'system') return 'tool'
  return speaker.toLowerCase()
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
  texts.map((text) => ({
    role: 'toolResult',
    toolCallId: `call-${ids.next - 1}`,
    toolName: '',
    content: textBlocks(text),
    isError: false,
    isUnmarked: true,
    isPruned: false,
  }))

/** The tokens of a template that remain after it has been read. */
const TOKENS =
  /<\\?[|｜][a-z_▁]+\\?[|｜]>|<\/?(?:function_calls|start_of_turn|end_of_turn|bos|eos|result|stdout)>|<tool_name>[^<]*<\/tool_name>/gi

function textBlocks(raw: string): ContentBlock[] {
  const text = raw.replace(TOKENS, '').trim()
  return text === '' ? [] : [{ type: 'text', text }]
}
