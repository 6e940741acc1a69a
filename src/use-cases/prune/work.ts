import {
  readingOf,
  readRawElement,
  readRequest,
  type ReadRequest,
  type SessionSource,
} from '../../ingest/read-request.ts'
import type { Work, WorkContext } from '../../jobs/protocol.ts'
import { pruneNotice, pruneToolOutputs } from '../../plan/prune-tool-outputs.ts'
import { PRUNE_FORMS, type PruneReply, type PruneRequest } from '../../schemas/prune.ts'
import { fieldsOf, type ByteRange } from '../../session/entry.ts'
import { selectBranch } from '../../session/link-session.ts'
import { copyBytes, writeListReply } from '../shared/copy-elements.ts'
import { replyWith, requestReport } from '../shared/reply.ts'

type Raw = Readonly<Record<string, unknown>>

const READING = readingOf(PRUNE_FORMS, true)

export default {
  start: (received, context) => replyWith(pruneSession(readRequest(received, READING, context), context)),
} satisfies Work

/**
 * Prunes a session's tool outputs: `POST /prune`. Everything else is returned as it came, byte for byte. Pruned messages get
 * the time, as in oh-my-pi: they stay pruned.
 * @returns the reply as JSON
 * @throws Problem `invalid-session`
 */
function pruneSession(
  { fields, session, source, ignored, format }: ReadRequest<PruneRequest>,
  { nowMs: prunedAt, redact }: Pick<WorkContext, 'nowMs' | 'redact'>,
): Buffer {
  const branch = selectBranch(session, fields.leafId)
  const { pruned, tokensSaved } = pruneToolOutputs(branch, fields.prune)
  const tokensOf = new Map<ByteRange, number>(pruned.map(({ entry, tokens }) => [entry.range, tokens]))
  const elements = (source.entries === undefined ? source.places : session.entries).map(({ range }) => {
    const tokens = tokensOf.get(range)
    return tokens === undefined ? copyElement(source, range) : pruneElement(source, range, { tokens, prunedAt })
  })
  const rest: Omit<PruneReply, 'entries' | 'messages'> = {
    pruned: pruned.map(({ entry, tokens }) => ({ id: entry.id, tokens })),
    tokensSaved,
    ...requestReport({ ignored, format }, redact),
  }
  return writeListReply(source.name, elements, rest)
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
  const pruned =
    source.name === 'messages'
      ? pruneMessage(raw, pruning)
      : { ...raw, message: pruneMessage(fieldsOf(raw['message']), pruning) }
  return Buffer.from(JSON.stringify(pruned))
}

/** Returns a message with a notice in the shape of the content that it replaces. */
function pruneMessage(message: Raw, { tokens, prunedAt }: Pruning): Raw {
  const text = pruneNotice(tokens)
  const content = typeof message['content'] === 'string' ? text : [{ type: 'text', text }]
  return { ...message, content, prunedAt }
}
