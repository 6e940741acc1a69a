import { readPruneNotice } from '../../session/message-text.ts'
import {
  textBlocks,
  textOf,
  type AssistantMessage,
  type ContentBlock,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
  type UserAnswer,
} from '../../session/message.ts'
import { limitDepth } from '../../session/read-message.ts'
import { readKnownTime } from '../../text/read-time.ts'
import { asText } from './values.ts'

/** Returns what the model thought as blocks of a message. */
export const thinkingBlocks = (value: unknown): ContentBlock[] =>
  asText(value) === '' ? [] : [{ type: 'thinking', thinking: asText(value) }]

/** Returns an image. @param fields those of its block in pi's format, or in that of OpenAI's chat API */
export const imageBlock = (fields: { image_url: unknown } | { data?: unknown; mimeType?: unknown }): ContentBlock => ({
  type: 'image',
  source: { type: 'image_url' in fields ? 'image_url' : 'image', ...fields },
})

/** Returns a file: an image, or a note with its name. */
export const fileNote = (name: unknown): ContentBlock => ({
  type: 'text',
  text: `[File: ${asText(name) || 'without a name'}]`,
})

/** Returns a message of what a client wrote in the user's role; none without content. */
export const clientMessages = (content: ContentBlock[]): Message[] =>
  content.length === 0 ? [] : [{ role: 'custom', content }]

/** Returns a message without the data of its images, which would stay in memory. */
export function withoutImageData<M extends Message>(message: M): M {
  if (!('content' in message) || !message.content.some(({ type }) => type === 'image')) return message
  return { ...message, content: message.content.map((block) => (block.type === 'image' ? { type: 'image' } : block)) }
}

/** Returns a call. @param values its arguments */
export const toolCall = (id: unknown, name: unknown, values: unknown): ToolCallBlock => ({
  type: 'toolCall',
  id: asText(id),
  name: asText(name) || 'unknown',
  arguments: limitDepth(values ?? {}),
})

/** Returns the text of a block; '' for other blocks. */
export const blockText = (block: ContentBlock | undefined): string => (block?.type === 'text' ? block.text : '')

/** The facts about an answer of the model. */
export type AnswerFacts = Pick<
  AssistantMessage,
  'stopReason' | 'errorMessage' | 'provider' | 'model' | 'usage' | 'timestamp'
>

/** Returns facts with the time of the answer, if they have its usage. @param time a date, or milliseconds since the epoch */
export function withTime(facts: AnswerFacts, time: unknown): AnswerFacts {
  const timestamp = facts.usage === undefined ? undefined : readKnownTime(time)
  return timestamp === undefined ? facts : { ...facts, timestamp }
}

/** Returns a result as one that was pruned, if its text says it. @param time when: a date, or milliseconds since the epoch */
export function withPrune(result: ToolResultMessage, time: unknown): ToolResultMessage {
  const prunedAt = readKnownTime(time)
  const isNotice = readPruneNotice(textOf(result.content)) !== undefined
  return prunedAt === undefined || !isNotice ? result : { ...result, isPruned: true, prunedAt }
}

/** Returns the field of a model's name; none for any other value. */
export const modelFact = (model: unknown): Pick<AnswerFacts, 'model'> => (typeof model === 'string' ? { model } : {})

/** The facts that an agent has of the result of a call. */
interface ResultFacts {
  /** The name of the tool. */
  name?: unknown
  /** Left out where the agent does not say it. */
  isError?: boolean | undefined
  exitCode?: unknown
  isPruned?: boolean
  answers?: readonly UserAnswer[]
}

export function toolResult(
  callId: unknown,
  content: ContentBlock[] | string,
  { name, isError, exitCode, isPruned = false, answers = [] }: ResultFacts = {},
): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: asText(callId),
    toolName: asText(name),
    content: typeof content === 'string' ? textBlocks(content) : content,
    isError: isError === true,
    isPruned,
    ...(typeof exitCode === 'number' ? { exitCode } : isError === undefined ? { isUnmarked: true } : {}),
    ...said(answers),
  }
}

/** Returns the field of what the user said in a result; none if they said nothing. */
export const said = (answers: readonly UserAnswer[]): Pick<ToolResultMessage, 'userAnswers'> =>
  answers.length === 0 ? {} : { userAnswers: answers }

/** Returns a result as the agent marks it beside the result: that it has failed, or its exit status. */
export function markResult(
  { isUnmarked, ...result }: ToolResultMessage,
  { hasFailed, exitCode = result.exitCode }: { hasFailed: boolean; exitCode?: unknown },
): ToolResultMessage {
  return {
    ...result,
    ...(hasFailed ? { isError: true } : {}),
    ...(typeof exitCode === 'number' ? { exitCode } : isUnmarked === true && !hasFailed ? { isUnmarked } : {}),
  }
}
