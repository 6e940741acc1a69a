import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import { Problem } from '../../errors.ts'
import type { ReceivedBody } from '../../ingest/parse-body.ts'
import { parseRange } from '../../ingest/read-body.ts'
import {
  readingOf,
  readRawElement,
  readRequest,
  type ReadRequest,
  type SessionSource,
} from '../../ingest/read-request.ts'
import type { Work, WorkContext } from '../../jobs/protocol.ts'
import { pruneToolOutputs, tokensSavedBy, type PrunePlan } from '../../plan/prune-tool-outputs.ts'
import { PRUNE_FORMS, type PruneReply, type PruneRequest } from '../../schemas/prune.ts'
import { fieldsOf, type ByteRange } from '../../session/entry.ts'
import { selectBranch } from '../../session/link-session.ts'
import { pruneNotice } from '../../session/message-text.ts'
import { copyBytes, writeListReply } from '../shared/copy-elements.ts'
import { replyWith, requestReport } from '../shared/reply.ts'

type Raw = Readonly<Record<string, unknown>>

const READING = readingOf(PRUNE_FORMS, true)

export default {
  start: (received, context) => replyWith(pruneSession(readRequest(received, READING, context), context)),
} satisfies Work

/**
 * Returns what would be saved of a session if the newest outputs of so many tokens stay, for each number: it is read once.
 * @throws Problem `unknown-format`, `invalid-session`
 */
export function tokensSavedWith(received: ReceivedBody, keeps: readonly number[]): number[] {
  const { session } = readRequest(received, READING, { maxSummaryTokens: 0 })
  const branch = selectBranch(session)
  return keeps.map((protectTokens) => pruneToolOutputs(branch, { protectTokens, minimumSavings: 0 }).tokensSaved)
}

/**
 * Prunes a session's tool outputs: `POST /prune`. Everything else is returned as it came, byte for byte. Pruned messages get
 * the time, as in oh-my-pi: they stay pruned.
 * @returns the reply as JSON
 * @throws Problem `invalid-session`, `no-native-form`
 */
function pruneSession(
  { fields, session, source, ignored, format }: ReadRequest<PruneRequest>,
  { nowMs: prunedAt, redact }: Pick<WorkContext, 'nowMs' | 'redact'>,
): Buffer {
  const branch = selectBranch(session, fields.leafId)
  const { pruned, mostTokensSaved } = pruneToolOutputs(branch, fields.prune)
  const file = fields.native === true ? writeFile({ source, format }, pruned, prunedAt) : undefined
  const written = file?.written ?? pruned
  const rest = {
    pruned: written.map(({ entry, tokens }) => ({ id: entry.id, tokens })),
    tokensSaved: tokensSavedBy(written),
    mostTokensSaved,
    ...requestReport({ ignored, format }, redact),
  } satisfies PruneReply
  if (file !== undefined) return Buffer.from(JSON.stringify({ native: file.native, ...rest } satisfies PruneReply))
  const tokensOf = new Map<ByteRange, number>(pruned.map(({ entry, tokens }) => [entry.range, tokens]))
  const elements = (source.entries === undefined ? source.places : session.entries).map(({ range }) => {
    const tokens = tokensOf.get(range)
    return tokens === undefined ? copyElement(source, range) : pruneElement(source, range, { tokens, prunedAt })
  })
  return writeListReply(source.name, elements, rest)
}

/**
 * Returns a session file with notices in place of outputs, and which ones it has; all other lines are as they came.
 * @throws Problem `no-native-form`
 */
function writeFile({ source, format }: Source, pruned: PrunePlan['pruned'], prunedAt: number) {
  const { withOutput }: Agent = AGENTS[format ?? 'pi']
  const isPi = format === undefined && source.name === 'entries'
  if (!source.isLines || (withOutput === undefined && !isPi))
    throw new Problem(
      'no-native-form',
      `Only session files of ${PRUNED.slice(0, -1).join(', ')} and ${PRUNED.at(-1)} can be pruned. Compact this session instead.`,
    )
  // A line may have several outputs.
  const lines = new Map<number, { end: number; line: Raw }>()
  const written = pruned.filter(({ entry: { range, message }, tokens }) => {
    const old = lines.get(range.start)?.line ?? fieldsOf(parseRange(source.body, range))
    const callId = message?.role === 'toolResult' ? message.toolCallId : ''
    const line = isPi ? pruneEntry(old, { tokens, prunedAt }) : withOutput?.(old, callId, pruneNotice(tokens))
    // The usage of an answer that is older than the prune has what was removed.
    if (line !== undefined) lines.set(range.start, { end: range.end, line: isPi ? line : { ...line, prunedAt } })
    return line !== undefined
  })
  return { native: { mode: 'replace' as const, contentType: NDJSON, body: replaceLines(source.body, lines) }, written }
}

/** The agents whose session files can be pruned. */
const PRUNED = Object.values<Agent>(AGENTS).flatMap(({ id, withOutput, homes = [] }) =>
  withOutput === undefined && id !== 'pi' ? [] : homes.map(({ name }) => name),
)

type Source = Pick<ReadRequest<PruneRequest>, 'source' | 'format'>

const NDJSON = 'application/x-ndjson'

function replaceLines(body: Buffer, lines: ReadonlyMap<number, { end: number; line: Raw }>): string {
  const parts: Buffer[] = []
  let at = 0
  for (const [start, { end, line }] of [...lines].sort(([a], [b]) => a - b)) {
    parts.push(body.subarray(at, start), Buffer.from(JSON.stringify(line)))
    at = end
  }
  return Buffer.concat([...parts, body.subarray(at)]).toString()
}

/** Returns an element as it came, or in the format of pi. */
const copyElement = (source: SessionSource, range: ByteRange): Buffer =>
  source.entries === undefined
    ? copyBytes(source.body, range)
    : Buffer.from(JSON.stringify(readRawElement(source, range)))

interface Pruning {
  /** The tokens of the output. */
  tokens: number
  /** Milliseconds since the epoch. */
  prunedAt: number
}

function pruneElement(source: SessionSource, range: ByteRange, pruning: Pruning): Buffer {
  const raw = readRawElement(source, range)
  const pruned = source.name === 'messages' ? pruneMessage(raw, pruning) : pruneEntry(raw, pruning)
  return Buffer.from(JSON.stringify(pruned))
}

const pruneEntry = (raw: Raw, pruning: Pruning): Raw => ({
  ...raw,
  message: pruneMessage(fieldsOf(raw['message']), pruning),
})

/** Returns a message with a notice in the shape of the content that it replaces. */
function pruneMessage(message: Raw, { tokens, prunedAt }: Pruning): Raw {
  const text = pruneNotice(tokens)
  const content = typeof message['content'] === 'string' ? text : [{ type: 'text', text }]
  return { ...message, content, prunedAt }
}
