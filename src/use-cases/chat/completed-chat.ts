import { Type } from '@sinclair/typebox'
import { Problem } from '../../errors.ts'
import { invalidBody } from '../../ingest/compile-validator.ts'
import type { Draft } from '../../model/summarizer.ts'
import type { Report } from '../../schemas/compaction-reply.ts'
import type { CompactionItem, ResponsesUsage } from '../../schemas/responses.ts'
import { Nullish, Text } from '../../schemas/typebox.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { HeadersAndQuery } from '../use-case.ts'
import type { PipelineChoice } from './recognize-compaction.ts'

/** How the client of a chat wants its answer. */
export interface AnswerForm {
  /** The answer ends before the first of these texts. */
  stop?: readonly string[] | undefined
  /** Whether it is streamed, and the usage is at its end. */
  isStream: boolean
  includeUsage: boolean
}

/** The checked answer to a chat, in no API's format. */
export interface CompletedChat extends Omit<AnswerForm, 'stop'> {
  text: string
  /** Takes the place of the text, if the client has asked for an item of the Responses API. */
  item?: CompactionItem
  report: Report
  /** The model server's counts, or estimates where it reports none: callers rely on them. */
  usage: { inputTokens: number; outputTokens: number }
}

/** Returns the answer that the work of a chat has written. */
export const readCompleted = (json: Buffer): CompletedChat => JSON.parse(json.toString()) as CompletedChat

/** Returns the tokens of an answer: the model server's counts, or estimates where it reports none. */
export function usageOf(
  draft: Draft | undefined,
  { promptTokens, text }: { promptTokens: number; text: string },
): CompletedChat['usage'] {
  return {
    inputTokens: draft?.usage.inputTokens || promptTokens,
    outputTokens: draft?.usage.outputTokens || estimateTextTokens(text),
  }
}

/** Returns a text up to the first of the texts at which its client wants it to end. */
export function cutAtStop(text: string, stops: readonly string[] = []): string {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((index) => index !== -1)
  return text.slice(0, Math.min(text.length, ...ends))
}

/**
 * Returns a summary up to such a text.
 * @param opening what stands before the summary
 * @throws Problem `invalid-request` if nothing of the summary is left: its client would replace a conversation with it
 */
export function cutSummaryAtStop(summary: string, stops?: readonly string[], opening = ''): string {
  const text = cutAtStop(summary, stops)
  if (text.length <= opening.length || text.slice(opening.length).trim() === '')
    throw invalidBody([{ pointer: '/stop', detail: STOPS_AT_ONCE }])
  return text
}

const STOPS_AT_ONCE =
  'must not occur at the beginning of a summary: nothing would be left of it. Leave it out, or stop at another text'

/** Returns token counts in the format of the Responses API. */
export function responsesUsage({ inputTokens, outputTokens }: CompletedChat['usage']): ResponsesUsage {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}

/** The header that selects the pipeline (OpenAPI). */
export const PipelineHeaderSchema = Type.Object({
  'x-precis-pipeline': Nullish(
    Text(
      '`on`: the chat is compacted in any case. `off`: it goes to the model in any case, unless it ends with a ' +
        '`compaction_trigger` item, which a model cannot answer.',
    ),
  ),
})

/** The choices of a chat's headers. */
export interface ChatModes {
  pipeline?: PipelineChoice
}

/** Returns what the headers have chosen. @throws Problem `invalid-request` */
export function readChatModes({ headers }: HeadersAndQuery): ChatModes {
  const value = String(headers['x-precis-pipeline'] ?? '')
  const pipeline = (['on', 'off'] as const).find((one) => one === value.trim().toLowerCase())
  if (value !== '' && pipeline === undefined)
    throw new Problem(
      'invalid-request',
      'The header X-Precis-Pipeline must be `on` or `off`. Correct it, or leave it out.',
    )
  return pipeline === undefined ? {} : { pipeline }
}

/** Pieces of a text, about as long as a line; with `u`, no surrogate pair is split. */
const PIECES = /[^]{1,120}/gu

/** Returns the pieces in which a text is streamed. */
export const piecesOf = (text: string): string[] => Array.from(text.matchAll(PIECES), ([piece]) => piece)
