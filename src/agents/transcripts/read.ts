import type { ContentBlock, Message, ToolCallBlock } from '../../session/message.ts'
import { readBlocks } from '../../session/parse-transcript.ts'
import { findBlocks, removeBlocks } from '../../text/find-in-text.ts'
import { findBrackets, findFirstBracket, splitBrackets } from '../shared/bracket-labels.ts'
import { toolResult } from '../shared/messages.ts'
import { findForeignCalls, type ForeignCall } from './calls.ts'
import { findEvents, readEventTranscript } from './events.ts'

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

/** The label of a speaker in a transcript; the offsets count UTF-16 units of the whole. */
interface SpeakerLabel {
  speaker: string
  start: number
  end: number
}

/** Chat labels and Markdown: "Human: ", "**User:** ", "### Assistant:" */
const CHAT_LABEL =
  /^(?<mark>#{1,4} |\*\*)?(?<speaker>user|human|assistant|ai|model|system|tool(?: result| response)?|function):(?:\*\*)?[ \t]*/gim

/**
 * The labels of speakers in transcripts, each with its source. oh-my-pi 18.2.3 writes a transcript in the syntax of the
 * user's main model (docs/clients.md), with a backslash before a token's bars.
 */
const SYNTAXES: readonly RegExp[] = [
  CHAT_LABEL,
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

/**
 * Finds the labels of a transcript in the syntax of its first label. Labels in any other syntax belong to what somebody
 * says, or to the output of a tool.
 */
function findSpeakers(transcript: string): SpeakerLabel[] {
  const syntax = findSyntax(transcript)
  if (syntax === undefined) return []
  const matches = [...transcript.matchAll(syntax)]
  return (syntax === CHAT_LABEL ? matches.filter(isWrittenLikeFirst) : matches).map((match) => ({
    speaker: nameSpeaker(match.groups ?? {}),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

function findSyntax(transcript: string): RegExp | undefined {
  const places = SYNTAXES.map((syntax) => ({ syntax, at: transcript.search(syntax) })).filter(({ at }) => at >= 0)
  const first = Math.min(...places.map(({ at }) => at))
  return places.find(({ at }) => at === first)?.syntax
}

/**
 * Returns whether a chat label is written like the first one: with the same mark, and both or neither with a capital
 * letter. Where the user is "Human", neither "User" nor "Model" is a label: files have lines such as `user: postgres`.
 */
function isWrittenLikeFirst(label: RegExpExecArray, _index: number, [first]: readonly RegExpExecArray[]): boolean {
  const { mark, speaker } = partsOf(label)
  const { mark: firstMark, speaker: firstSpeaker } = first === undefined ? { mark, speaker } : partsOf(first)
  const isCapital = (text: string): boolean => /^[A-Z]/.test(text)
  const others = OTHER_NAMES[firstSpeaker.toLowerCase()] ?? []
  return mark === firstMark && isCapital(speaker) === isCapital(firstSpeaker) && !others.includes(speaker.toLowerCase())
}

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { human: ['user', 'model'], user: ['human'] }

const partsOf = ({ groups: { mark = '', speaker = '' } = {} }: RegExpExecArray) => ({ mark: mark.charAt(0), speaker })

/**
 * Returns the speaker of a label. Harmony's thinking is a channel of the assistant; Kimi's results are the system's, in
 * a channel with the name of the tool.
 */
function nameSpeaker({ speaker = 'system', channel = '' }: Record<string, string | undefined>): string {
  if (channel === 'analysis') return 'thinking'
  if (speaker === 'system' && channel !== '' && channel !== 'system') return 'tool'
  return speaker.toLowerCase()
}
