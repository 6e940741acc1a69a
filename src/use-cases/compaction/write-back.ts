import type { PostedSession } from '../../agents/appender.ts'
import { isMessageList, prepareNative, writeNative, type NativeMaterial } from '../../agents/native.ts'
import { Problem } from '../../errors.ts'
import { formatOf, type SessionRequest } from '../../ingest/read-request.ts'
import { findValidCutPoints } from '../../plan/choose-cut.ts'
import { sumTokens } from '../../plan/context-size.ts'
import { findRegion } from '../../plan/region.ts'
import type { CompactionReply } from '../../schemas/compaction-reply.ts'
import { EntriesFormSchema, type SessionForm } from '../../schemas/compaction-request.ts'
import type { FormatId } from '../../schemas/format.ts'
import type { Entry } from '../../session/entry.ts'
import { sha256, toUuid } from '../../session/hash-id.ts'
import { WORTH_LOWERING_TOKENS } from '../shared/nothing-to-compact.ts'
import type { PipelineResult } from '../shared/pipeline.ts'

/** The material with which the second part of a compaction writes it back: plain data. */
export interface WriteBackMaterial {
  form: NativeMaterial
  /** The parts of the reply. */
  wants: { native: boolean; history: boolean }
  /** The tokens that are kept before the cut, since only whole elements can be kept. */
  extraTokens: number
  /** Makes the ids of new lines: it is different for each session and each compaction of it. */
  seed: string
}

type Request = Pick<
  SessionRequest<Omit<SessionForm, 'entries' | 'messages'>>,
  'fields' | 'session' | 'source' | 'format'
>

/**
 * Prepares what a request wants to write back; undefined if it wants nothing.
 * @param firstKept the first message that stays
 * @throws Problem `no-native-form` if the session cannot be written back
 */
export function prepareWriteBack(
  request: Request,
  branch: readonly Entry[],
  firstKept: Entry | undefined,
): WriteBackMaterial | undefined {
  const { fields, session, source } = request
  const wants = { native: fields.native === true, history: fields.history === true }
  if (!(wants.native || wants.history) || firstKept === undefined) return undefined
  const id = formatOf(request)
  const { body, isLines, places, elements } = source
  const last = branch.at(-1)
  const at = branch.indexOf(firstKept)
  const from = wholeElementsFrom(branch, at)
  const [first = firstKept, ...others] = branch.slice(from)
  const posted: PostedSession = {
    ...{ body, isLines, places, elements, kept: [first, ...others] },
    isWhole: last === session.entries.at(-1),
    requestFields: REQUEST_FIELDS,
  }
  if (wants.history && !isMessageList(id)) throw noHistory(id)
  const form = prepareNative(id, posted)
  if (form === undefined) throw noNativeForm(id)
  const seed = JSON.stringify([id, first.id, last?.id, branch.length, body.length])
  return { form, wants, extraTokens: sumTokens(findRegion(branch))(from, at), seed }
}

/** The fields beside the list that a body of our own forms has. */
const REQUEST_FIELDS = Object.keys(EntriesFormSchema.properties)

/**
 * Returns where the kept elements begin: one element may have several entries, such as results and words of the user, and only
 * whole elements can be kept. Then the cut before it counts.
 * @param at the first kept entry
 */
function wholeElementsFrom(branch: readonly Entry[], at: number): number {
  if (beginsElement(branch, at)) return at
  const points = findValidCutPoints(findRegion(branch))
  return points.findLast((point) => point < at && beginsElement(branch, point)) ?? points[0] ?? 0
}

function beginsElement(branch: readonly Entry[], at: number): boolean {
  const [entry, before] = [branch[at], branch[at - 1]]
  return entry?.index !== before?.index || entry?.part !== before?.part
}

const noNativeForm = (format: FormatId): Problem =>
  new Problem(
    'no-native-form',
    `A compaction cannot be written back into this session of the format ${format}. ` +
      `Ask for the JSON reply or \`reply=text\`${isMessageList(format) ? ', or for `history`' : ''}.`,
  )

const noHistory = (format: FormatId): Problem =>
  new Problem(
    'no-native-form',
    `A session of the format ${format} is not a list of messages, so it has no \`history\`. ` +
      'Ask for `native`, for `reply=text`, or for a new session (`reply=` and the name of its format).',
  )

type Written = Pick<CompactionReply, 'summary' | 'shortSummary' | 'details'> & {
  firstKeptEntryId: string
  tokensBefore: number
  tokensAfter: number
  tokensOutside: number
}

/**
 * Writes a compaction back.
 * @param at milliseconds since the epoch
 * @throws Problem `nothing-gained` if the session would not become smaller
 */
export function writeBack(
  { form, wants, seed }: WriteBackMaterial,
  reply: Written,
  at: number,
): Pick<PipelineResult, 'native' | 'history'> {
  const before = reply.tokensBefore - reply.tokensOutside
  if (wants.native && reply.tokensAfter >= before) throw nothingGained(before, reply.tokensAfter)
  // A job writes the same ids each time.
  const uuid = (name: string): string => toUuid(sha256(`${seed}\n${at}\n${name}`))
  const { history = '', ...native } = writeNative(form, { ...reply, at, uuid })
  return {
    ...(wants.native ? { native: { format: form.format, ...native } } : {}),
    ...(wants.history ? { history } : {}),
  }
}

const nothingGained = (before: number, after: number): Problem =>
  new Problem(
    'nothing-gained',
    `The messages would have ${after} tokens after the compaction, and they have ${before} now, so nothing is written back. ` +
      (before < WORTH_LOWERING_TOKENS ? 'Compact later.' : 'Lower `keepRecentTokens`, or compact later.'),
  )
