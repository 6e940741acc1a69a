import { createHash } from 'node:crypto'
import { findValidCutPoints } from '../plan/choose-cut.ts'
import type { CompressReply, CompressRequest } from '../schemas/compress.ts'
import { writeSummaryMessage } from '../session/earlier-summary.ts'
import { readMixedChat, type MixedChat } from '../session/read-mixed-chat.ts'
import { estimateTextTokens, measureChat, type ChatTokens } from '../tokens/estimate-tokens.ts'
import { copyBytes, copyElements, findElements, writeListReply } from './copy-elements.ts'

/** From this share of the limit on, a summary is prepared. */
export const PREPARE_SHARE = 0.8

/** The shares of the limit that the kept messages and the summary may take, without the instructions. */
const KEEP_SHARE = 0.3
const SUMMARY_SHARE = 0.2

/** A shorter summary is of no use. */
const MIN_SUMMARY_TOKENS = 64

/** As many of the newest places for a cut are reported: a list of millions of tiny messages must stay small. */
const MAX_POINTS = 4096

/** A place where a conversation may be cut. */
export interface CutPoint {
  /** The position of the first message that stays. */
  at: number
  /** The hash of the caller and of the messages before it, without instructions: clients write the time into those. */
  key: string
  /** The tokens of the messages that stay, instructions included. */
  restTokens: number
}

/** The places where a conversation may be cut. */
export interface CutSurvey {
  limitTokens: number
  tokensBefore: number
  /** The oldest first; none below 80 % of the limit. */
  points: CutPoint[]
  /** Where the next cut will be; undefined if no cut leaves room for a summary. */
  planned?: CutPoint
}

export interface SurveyOptions {
  /** The limit of a request that sets none. */
  limitTokens: number
  caller: string
  isBypassed: boolean
}

/** A summary that replaces the messages before a position. */
export interface AppliedCut {
  at: number
  summary: string
}

/** A request, and the body that it was read from: messages that stay are copied byte for byte. */
export interface ReadMessages {
  fields: CompressRequest
  body: Buffer
}

/** The messages of a request, and what came of them. */
export interface Compressed {
  /** A `CompressReply` as JSON. */
  reply: Buffer
  tokensBefore: number
  tokensAfter: number
}

/** Returns the messages unchanged and, from 80 % of the limit on, where the conversation may be cut. */
export function surveyMessages(
  { fields, body }: ReadMessages,
  { caller, isBypassed, ...defaults }: SurveyOptions,
): Compressed & { survey: CutSurvey } {
  const chat = readMixedChat(fields.messages)
  const limitTokens = fields.token_budget ?? defaults.limitTokens
  const sizes = measureChat(chat)
  const tokensBefore = sizes.instructionTokens + (sizes.toEnd[0] ?? 0)
  const messages = copyElements(body, findElements(body, 'messages'))
  const count = fields.messages.length
  const reply = writeReply(fields, { messages, count, tokensBefore, tokensAfter: tokensBefore })
  const survey: CutSurvey = { limitTokens, tokensBefore, points: [] }
  const result = { reply, tokensBefore, tokensAfter: tokensBefore, survey }
  if (isBypassed || tokensBefore < PREPARE_SHARE * limitTokens) return result
  const points = findPoints({ chat, sizes, values: fields.messages }, { limitTokens, caller })
  return { ...result, survey: { ...survey, points, ...planCut(points, sizes.instructionTokens, limitTokens) } }
}

/** Returns the messages with a summary in place of those before a position. Instructions stay. */
export function applyCut({ fields, body }: ReadMessages, { at, summary }: AppliedCut): Compressed {
  const { entries, instructions } = readMixedChat(fields.messages)
  const text = writeSummaryMessage(summary)
  const ranges = findElements(body, 'messages')
  const head = ranges.filter((_, index) => index < at && instructions.has(index)).map((range) => copyBytes(body, range))
  const message = Buffer.from(JSON.stringify({ role: 'user', content: text }))
  const messages = [...head, message, ...copyElements(body, ranges.slice(at))]
  const frozen = head.length + 1
  const { toEnd, instructionTokens } = measureChat({ entries, instructions })
  const first = entries.findIndex(({ index }) => index >= at)
  const tokensBefore = instructionTokens + (toEnd[0] ?? 0)
  const tokensAfter = instructionTokens + (toEnd[first] ?? 0) + estimateTextTokens(text)
  return {
    reply: writeReply(fields, { messages, count: frozen + ranges.length - at, tokensBefore, tokensAfter, frozen }),
    tokensBefore,
    tokensAfter,
  }
}

/** Returns the output limit of a summary in place of the messages before a position. */
export function summaryTokensFor(instructionTokens: number, limitTokens: number): number {
  return Math.floor((limitTokens - instructionTokens) * SUMMARY_SHARE)
}

interface Measured {
  chat: MixedChat
  sizes: ChatTokens
  values: readonly unknown[]
}

/** Returns where a conversation may be cut: between values, never between a call and its results. */
function findPoints(
  { chat: { entries, instructions }, sizes: { toEnd, instructionTokens }, values }: Measured,
  { limitTokens, caller }: { limitTokens: number; caller: string },
): CutPoint[] {
  const points = findValidCutPoints({ branch: entries, playStart: 0, start: 0 })
    .map((position) => ({ position, at: entries[position]?.index ?? 0 }))
    .filter(({ position, at }) => position > 0 && entries[position - 1]?.index !== at)
    .map(({ position, at }) => ({ at, restTokens: instructionTokens + (toEnd[position] ?? 0) }))
    // Of the others, none can be used for this limit. An earlier summary before them may still be a beginning.
    .filter(({ restTokens }) => restTokens <= 2 * limitTokens)
    .slice(-MAX_POINTS)
  const hash = createHash('sha256').update(`compress 1 ${caller}`)
  let done = 0
  return points.map(({ at, restTokens }) => {
    for (; done < at; done++) if (!instructions.has(done)) hash.update(`\n${writeStable(values[done])}`)
    return { at, restTokens, key: hash.copy().digest('base64url') }
  })
}

/** Returns a message as JSON without the marks for a provider's cache, which clients move from turn to turn. */
const writeStable = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => (name === 'cache_control' ? undefined : inner))

function planCut(
  points: readonly CutPoint[],
  instructionTokens: number,
  limitTokens: number,
): Pick<CutSurvey, 'planned'> {
  const keptTokens = instructionTokens + (limitTokens - instructionTokens) * KEEP_SHARE
  const planned = points.find(({ restTokens }) => restTokens <= keptTokens) ?? points.at(-1)
  return planned === undefined || limitTokens - planned.restTokens < MIN_SUMMARY_TOKENS ? {} : { planned }
}

interface ReplyParts {
  /** As JSON. */
  messages: readonly Buffer[]
  /** Their number. */
  count: number
  tokensBefore: number
  tokensAfter: number
  /** The number of leading messages that a summary has made stable. */
  frozen?: number
}

function writeReply(
  { config }: CompressRequest,
  { messages, count, tokensBefore, tokensAfter, frozen }: ReplyParts,
): Buffer {
  const transforms = frozen === undefined ? [] : ['precis:summary']
  const id = config?.session_id
  const rest: Omit<CompressReply, 'messages'> = {
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    tokens_saved: tokensBefore - tokensAfter,
    compression_ratio: tokensBefore === 0 ? 1 : tokensAfter / tokensBefore,
    transforms_applied: transforms,
    transforms_summary: Object.fromEntries(transforms.map((name) => [name, 1])),
    ccr_hashes: [],
    ...(typeof id === 'string' && {
      session: {
        id: id.slice(0, MAX_SESSION_ID),
        frozen_message_count: frozen ?? count,
        cached_prefix_replayed: frozen !== undefined,
      },
    }),
  }
  return writeListReply('messages', messages, rest)
}

/** As in Headroom's API. */
const MAX_SESSION_ID = 256
