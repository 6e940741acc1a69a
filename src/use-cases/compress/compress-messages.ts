import { createHash } from 'node:crypto'
import type { CompressRequest } from '../../schemas/compress.ts'
import { bytesBeforeList, copyUnchanged, withCommas } from '../shared/copy-elements.ts'
import { cutPositions, measureMessages, shortenMessages, type MeasuredMessages } from './shorten-messages.ts'
import { PREPARE_SHARE, type CutPoint, type CutSurvey, type SurveyOptions, type SurveyOutcome } from './steps.ts'
import { writeReply } from './write-reply.ts'

/** The shares of the limit that the kept messages and the summary may take, without the instructions. */
const KEEP_SHARE = 0.3
const SUMMARY_SHARE = 0.2

/** A shorter summary is of no use. */
const MIN_SUMMARY_TOKENS = 64

/** As many of the newest places for a cut are reported: a list of millions of tiny messages must stay small. */
const MAX_POINTS = 4096

/** A request, and the body that it was read from: messages that stay are copied byte for byte. */
interface ReadMessages {
  fields: CompressRequest
  body: Buffer
}

/** The answer of a job: the reply with all messages, and what a reply with a summary is made of. */
interface Surveyed extends SurveyOutcome {
  /** A `CompressReply` as JSON, and behind it the instructions once more: those before the newest cut. */
  body: Buffer
}

/**
 * Returns the messages without a summary, shortened only where one of them could not be kept otherwise, and, from 80 % of the
 * limit on, where the conversation may be cut: a reply with a summary is made of the parts of this one, so that no job reads the
 * conversation again.
 */
export function surveyMessages(
  read: ReadMessages,
  { tokenDigest, rules, isBypassed, ...defaults }: SurveyOptions,
): Surveyed {
  const { fields } = read
  const values = fields.messages
  const limitTokens = fields.token_budget ?? defaults.limitTokens
  const whole = measureMessages(values)
  const shortened = isBypassed ? whole : shortenMessages(whole, limitTokens)
  const messages = copyUnchanged(read.body, { name: 'messages', original: values, values: shortened.values })
  const [tokensBefore, tokensAfter] = [totalOf(whole), totalOf(shortened)]
  const facts = { tokensBefore, tokensAfter, ...sessionOf(fields) }
  const reply = writeReply({ messages, ...facts, shortened: countChanged(shortened.values, values) })
  const survey = { limitTokens, wholeTokens: tokensAfter, wholeBytes: reply.length, points: [], ...sessionOf(fields) }
  const result = { body: reply, survey, tokensBefore, tokensAfter }
  if (isBypassed || tokensAfter < PREPARE_SHARE * limitTokens) return result
  const cuts = findCuts({ ...shortened, values }, { limitTokens, namespace: `${tokenDigest}${rules}` })
  const points = locateParts(cuts, { ...shortened, messages, original: values })
  const instructions = [...shortened.chat.instructions.keys()].filter((index) => index < (points.at(-1)?.at ?? 0))
  return {
    ...result,
    body: Buffer.concat([reply, ...withCommas(instructions.flatMap((index) => messages[index] ?? []))]),
    survey: { ...survey, points, ...planCut(points, shortened.sizes.instructionTokens, limitTokens) },
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

type Cut = Omit<CutPoint, 'parts'>

/** Returns where a conversation may be cut, with the hashes of its messages as they came. */
function findCuts(
  { chat: { entries, instructions }, sizes: { toEnd, instructionTokens }, values }: MeasuredMessages,
  { limitTokens, namespace }: { limitTokens: number; namespace: string },
): Cut[] {
  const cuts = cutPositions(entries)
    .map((position) => ({ at: entries[position]?.index ?? 0, restTokens: instructionTokens + (toEnd[position] ?? 0) }))
    // Of the others, none can be used for this limit. An earlier summary before them may still be a beginning.
    .filter(({ restTokens }) => restTokens <= 2 * limitTokens)
    .slice(-MAX_POINTS)
  const hash = createHash('sha256').update(`compress 1 ${namespace}`)
  let done = 0
  return cuts.map(({ at, restTokens }) => {
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

interface WrittenMessages extends MeasuredMessages {
  /** As they came. */
  original: readonly unknown[]
  /** As they are written. */
  messages: readonly Buffer[]
}

/** Returns cuts, which are in their order, with the parts of the reply that a reply with a summary has. */
function locateParts(cuts: readonly Cut[], { values, original, messages, chat }: WrittenMessages): CutPoint[] {
  let [done, start, shortened] = [0, bytesBeforeList('messages'), countChanged(values, original)]
  const instructions = { count: 0, bytes: 0 }
  const endBytes = messages.reduce((bytes, { length }) => bytes + length + 1, start) - 1
  return cuts.map((cut) => {
    for (; done < cut.at; done++) {
      const { length } = messages[done] ?? Buffer.alloc(0)
      start += length + 1
      if (values[done] !== original[done]) shortened -= 1
      if (!chat.instructions.has(done)) continue
      instructions.bytes += length + (instructions.count === 0 ? 0 : 1)
      instructions.count += 1
    }
    return { ...cut, parts: { instructions: { ...instructions }, kept: { start, end: endBytes }, shortened } }
  })
}

/** As in Headroom's API. */
const MAX_SESSION_ID = 256

function sessionOf({ config }: CompressRequest): { sessionId?: string } {
  const id = config?.session_id
  return typeof id === 'string' ? { sessionId: id.slice(0, MAX_SESSION_ID) } : {}
}
