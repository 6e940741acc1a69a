import { createHash } from 'node:crypto'
import { writeSummaryMessage } from '../../agents/own-summary.ts'
import type { CompressReply, CompressRequest } from '../../schemas/compress.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { copyUnchanged, writeListReply } from '../shared/copy-elements.ts'
import { cutPositions, measureMessages, shortenMessages, type MeasuredMessages } from './shorten-messages.ts'
import { PREPARE_SHARE, type AppliedCut, type CutPoint, type CutSurvey, type SurveyOptions } from './steps.ts'

/** The shares of the limit that the kept messages and the summary may take, without the instructions. */
const KEEP_SHARE = 0.3
const SUMMARY_SHARE = 0.2

/** A shorter summary is of no use. */
const MIN_SUMMARY_TOKENS = 64

/** As many of the newest places for a cut are reported: a list of millions of tiny messages must stay small. */
const MAX_POINTS = 4096

/** A request, and the body that it was read from: messages that stay are copied byte for byte. */
export interface ReadMessages {
  fields: CompressRequest
  body: Buffer
}

/** The messages of a request, and what came of them. */
interface Compressed {
  /** A `CompressReply` as JSON. */
  reply: Buffer
  tokensBefore: number
  tokensAfter: number
}

/**
 * Returns the messages without a summary, shortened only where one of them could not be kept otherwise, and, from 80 % of the
 * limit on, where the conversation may be cut.
 */
export function surveyMessages(
  read: ReadMessages,
  { tokenDigest, rules, isBypassed, ...defaults }: SurveyOptions,
): Compressed & { survey: CutSurvey } {
  const { fields } = read
  const values = fields.messages
  const limitTokens = fields.token_budget ?? defaults.limitTokens
  const whole = measureMessages(values)
  const shortened = isBypassed ? whole : shortenMessages(whole, limitTokens)
  const [tokensBefore, wholeTokens] = [totalOf(whole), totalOf(shortened)]
  const messages = copyUnchanged(read.body, { name: 'messages', original: values, values: shortened.values })
  const parts = { messages, tokensBefore, tokensAfter: wholeTokens, shortened: countChanged(shortened.values, values) }
  const survey: CutSurvey = { limitTokens, wholeTokens, points: [] }
  const result = { reply: writeReply(fields, parts), tokensBefore, tokensAfter: wholeTokens, survey }
  if (isBypassed || wholeTokens < PREPARE_SHARE * limitTokens) return result
  const points = findPoints({ ...shortened, values }, { limitTokens, namespace: `${tokenDigest}${rules}` })
  return {
    ...result,
    survey: { ...survey, points, ...planCut(points, shortened.sizes.instructionTokens, limitTokens) },
  }
}

/** Returns the messages with a summary in place of those before a position. Instructions stay. */
export function applyCut(read: ReadMessages, { at, summary, limitTokens }: AppliedCut): Compressed {
  const { fields } = read
  const whole = measureMessages(fields.messages)
  const { values, chat, sizes } = shortenMessages(whole, fields.token_budget ?? limitTokens)
  const text = writeSummaryMessage(summary)
  const isKept = (_: unknown, index: number): boolean => index >= at || chat.instructions.has(index)
  const kept = copyUnchanged(read.body, { name: 'messages', original: fields.messages, values }).filter(isKept)
  const head = kept.length - (values.length - at)
  const message = Buffer.from(JSON.stringify({ role: 'user', content: text }))
  const messages = [...kept.slice(0, head), message, ...kept.slice(head)]
  const first = chat.entries.findIndex(({ index }) => index >= at)
  const tokensBefore = totalOf(whole)
  const tokensAfter = sizes.instructionTokens + (sizes.toEnd[first] ?? 0) + estimateTextTokens(text)
  const shortened = countChanged(values.filter(isKept), fields.messages.filter(isKept))
  return {
    reply: writeReply(fields, { messages, tokensBefore, tokensAfter, frozen: head + 1, shortened }),
    tokensBefore,
    tokensAfter,
  }
}

const totalOf = ({ sizes: { instructionTokens, toEnd } }: MeasuredMessages): number =>
  instructionTokens + (toEnd[0] ?? 0)

const countChanged = (messages: readonly unknown[], values: readonly unknown[]): number =>
  messages.filter((message, index) => message !== values[index]).length

/** Returns the output limit of a summary in place of the messages before a position. */
export function summaryTokensFor(instructionTokens: number, limitTokens: number): number {
  return Math.floor((limitTokens - instructionTokens) * SUMMARY_SHARE)
}

/** Returns where a conversation may be cut, with the hashes of its messages as they came. */
function findPoints(
  { chat: { entries, instructions }, sizes: { toEnd, instructionTokens }, values }: MeasuredMessages,
  { limitTokens, namespace }: { limitTokens: number; namespace: string },
): CutPoint[] {
  const points = cutPositions(entries)
    .map((position) => ({ at: entries[position]?.index ?? 0, restTokens: instructionTokens + (toEnd[position] ?? 0) }))
    // Of the others, none can be used for this limit. An earlier summary before them may still be a beginning.
    .filter(({ restTokens }) => restTokens <= 2 * limitTokens)
    .slice(-MAX_POINTS)
  const hash = createHash('sha256').update(`compress 1 ${namespace}`)
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
  tokensBefore: number
  tokensAfter: number
  /** The number of leading messages that a summary has made stable. */
  frozen?: number
  /** The number of messages without their middle. */
  shortened: number
}

function writeReply(
  { config }: CompressRequest,
  { messages, tokensBefore, tokensAfter, frozen, shortened }: ReplyParts,
): Buffer {
  const transforms = {
    ...(frozen !== undefined && { 'precis:summary': 1 }),
    ...(shortened > 0 && { 'precis:shortened': shortened }),
  }
  const id = config?.session_id
  const rest: Omit<CompressReply, 'messages'> = {
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    tokens_saved: tokensBefore - tokensAfter,
    compression_ratio: tokensBefore === 0 ? 1 : tokensAfter / tokensBefore,
    transforms_applied: Object.keys(transforms),
    transforms_summary: transforms,
    ccr_hashes: [],
    ...(typeof id === 'string' && {
      session: {
        id: id.slice(0, MAX_SESSION_ID),
        frozen_message_count: frozen ?? messages.length,
        cached_prefix_replayed: frozen !== undefined,
      },
    }),
  }
  return writeListReply('messages', messages, rest)
}

/** As in Headroom's API. */
const MAX_SESSION_ID = 256
