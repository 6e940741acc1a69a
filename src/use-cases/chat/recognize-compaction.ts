import { withoutInstructions, type ChatMessage } from '../../agents/apis/read-chat.ts'
import { readRooChat } from '../../agents/cline/read-chat.ts'
import { takeSummary } from '../../agents/earlier-summary.ts'
import type { Message, UserMessage } from '../../session/message.ts'
import { toLineFeeds } from '../../text/shorten.ts'
import { findAsk, findPrompt, isMergedPrompt, isPromptOfRoo, isSummaryPrompt } from './summary-prompts.ts'
import { splitTranscriptPrompt } from './transcript-prompt.ts'

/** A chat that asks for a summary of itself, in its parts. */
export interface ChatParts {
  /** The messages to be summarized; empty if the client has written them as a transcript. */
  messages: readonly Message[]
  /** Messages of the user that the earlier summary covers. */
  covered?: readonly UserMessage[]
  /** The transcript of the client, in any syntax. */
  transcript?: string | undefined
  /** The label with which the transcript began, before the earlier summary was taken from it. */
  firstLabel?: string | undefined
  previousSummary?: string | undefined
  /** The client's own instructions; empty for the service's own instructions. */
  instructions: string
}

/** Whether a chat is compacted: always, never, or if it asks for that. */
export type PipelineChoice = 'on' | 'off' | 'auto'

/**
 * Returns the parts of a chat that asks for a summary of the conversation: by the prompt of a known client, or in the user's
 * last words after at least two other messages. Any other chat is answered by the model.
 * @returns undefined for any other chat
 */
export function recognizeCompaction(chat: readonly ChatMessage[], choice: PipelineChoice): ChatParts | undefined {
  if (choice === 'off') return undefined
  const system = chat.flatMap((message) => (message.role === 'system' ? message.text : []))
  const messages = withoutInstructions(chat)
  const ask = messages.at(-1)
  const earlier = messages.slice(0, -1)
  const systemPrompt = system.find((text) => isSummaryPrompt('system', text))
  const isForced = choice === 'on'
  if (ask?.role !== 'user') return isForced ? withoutSummary(system, { messages, instructions: '' }) : undefined
  const request = readRequest(ask)
  // Letta has an answer of the assistant before the transcript.
  const prompt = earlier.every(({ role }) => role === 'assistant')
    ? readTranscriptPrompt(request, { systemPrompt, isForced })
    : undefined
  if (prompt !== undefined || (earlier.length === 0 && !isMergedPrompt(request))) return prompt
  const start = systemPrompt === undefined ? findInstructions(request, { earlier, isForced }) : 0
  if (start === undefined) return undefined
  const before = request.slice(0, start).trim()
  const words: Message[] = before === '' ? [] : [{ role: 'user', content: [{ type: 'text', text: before }] }]
  const chatted = [...earlier, ...words]
  const last = request.slice(start)
  const isRoo = isPromptOfRoo({ system: systemPrompt ?? '', last })
  const instructions = joinTexts(systemPrompt, last)
  return withoutSummary(system, { messages: isRoo ? readRooChat(chatted) : chatted, instructions })
}

/** Returns the text of a message: its blocks are paragraphs, and clients on Windows may write other line ends. */
const readRequest = ({ content }: UserMessage): string =>
  toLineFeeds(content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n\n'))

const joinTexts = (...texts: (string | undefined)[]): string =>
  texts
    .map((text = '') => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')

/** Returns where the instructions begin in the last message; undefined if there are none. */
function findInstructions(
  request: string,
  { earlier, isForced }: { earlier: readonly Message[]; isForced: boolean },
): number | undefined {
  const wish = earlier.length >= MIN_EARLIER_MESSAGES ? findAsk(request) : undefined
  return findPrompt(request) ?? wish ?? (isForced ? 0 : undefined)
}

/** A shorter chat that ends with a wish for a summary may be about a text in it. */
const MIN_EARLIER_MESSAGES = 2

/** Separates an earlier summary from the messages. LiteLLM writes it at the beginning of the system prompt. */
function withoutSummary(system: readonly string[], { messages, instructions }: ChatParts): ChatParts {
  const instructed = system.map((text) => ({ role: 'system' as const, text }))
  const { summary, ...split } = takeSummary([...instructed, ...messages])
  return {
    ...split,
    instructions,
    ...(summary === undefined ? {} : { previousSummary: summary }),
  }
}

interface PromptOptions {
  /** The system prompt, if it is that of a known client. */
  systemPrompt: string | undefined
  isForced: boolean
}

/** Reads a prompt that has the whole conversation in it, as a transcript. */
function readTranscriptPrompt(request: string, { systemPrompt, isForced }: PromptOptions): ChatParts | undefined {
  const isKnown = systemPrompt !== undefined || isSummaryPrompt('transcript', request)
  if (!isKnown && !isForced) return undefined
  const { words, ...parts } = splitTranscriptPrompt(request)
  // Our prompt has the earlier summary in these tags.
  const instructions = joinTexts(systemPrompt, words.replaceAll('prior-summary', 'previous-summary'))
  return { messages: [], ...parts, instructions }
}
