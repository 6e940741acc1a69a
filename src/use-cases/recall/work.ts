import { invalidBody } from '../../ingest/compile-validator.ts'
import { readingOf, readRequest, type ReadRequest, type ReceivedBody } from '../../ingest/read-request.ts'
import { Problem } from '../../errors.ts'
import type { Work, WorkContext } from '../../jobs/protocol.ts'
import { pairCalls } from '../../extract/runs.ts'
import { findPassages } from '../../recall/find-passages.ts'
import { searchSessionFor, type SearchedSession } from '../../recall/search-session.ts'
import { Timeline } from '../../recall/timeline.ts'
import { startRedaction } from '../../redact/redaction.ts'
import { RECALL_FORMS, type RecallReply, type RecallRequest } from '../../schemas/recall.ts'
import { fieldsOf, type Entry } from '../../session/entry.ts'
import { selectBranch } from '../../session/link-session.ts'
import { defined } from '../../text/defined.ts'
import { replyWith, requestReport } from '../shared/reply.ts'
import { joinCopies, type SessionCopy } from './join-copies.ts'

const READING = readingOf(RECALL_FORMS, true)

export default {
  start: (received, context) => replyWith(recallSession(readRequest(received, READING, context), context)),
} satisfies Work

/** No limit of summaries counts for a session that is read whole. */
const NO_LIMITS = { maxSummaryTokens: 0 }

/** A session file, and its copies from before compactions that have replaced it, oldest first. */
export interface RecalledFile extends ReceivedBody {
  copies: readonly { name: string; body: Buffer }[]
}

/**
 * Looks up passages of a session file without a service. Entries that only a copy has are named after it.
 * @throws Problem `unknown-format`, `invalid-session`, `invalid-request`
 */
export function recallFile({ copies, ...file }: RecalledFile, redact: boolean): RecallReply {
  const query = defined({ format: file.query['format'] })
  const earlier = copies.map(({ name, body }): SessionCopy => {
    const { session, source } = readRequest({ body, isLines: true, query }, READING, NO_LIMITS)
    return { name, branch: selectBranch(session, undefined), source }
  })
  return recallSession(readRequest(file, READING, NO_LIMITS), { redact }, earlier)
}

/** Returns whether a document is a session of a format that the service knows. */
export function isSessionDocument(body: Buffer): boolean {
  try {
    readRequest({ body, isLines: true, query: {} }, READING, NO_LIMITS)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Looks up passages of a session: `POST /recall`. @throws Problem `invalid-session`, `invalid-request` */
export function recallSession(
  { fields, session, source, ignored, format }: ReadRequest<RecallRequest>,
  { redact }: Pick<WorkContext, 'redact'>,
  copies: readonly SessionCopy[] = [],
): RecallReply {
  const { query = '', entryIds, kinds, tool, path } = fields
  if (query.trim() === '' && [entryIds, kinds, tool, path].every((one) => one === undefined))
    throw invalidBody([
      { pointer: '/query', detail: 'is required, unless entryIds, kinds, tool or path say what to look up' },
    ])
  const { entries, branch, elementOf } = joinCopies(
    { entries: session.entries, branch: selectBranch(session, fields.leafId), source },
    copies,
  )
  const timeline = new Timeline(entries, branch, (entry) => readTime(fieldsOf(elementOf(entry))))
  return {
    ...searchSessionFor(searched(entries, timeline, redact), fields),
    ...requestReport({ ignored, format }, redact),
  }
}

/** Replaces the secrets before anything is searched: what a search finds would tell whether a guess of one is right. */
function searched(entries: readonly Entry[], timeline: Timeline, redact: boolean): SearchedSession {
  const messages = entries.flatMap(({ message }) => message ?? [])
  const texts = entries.flatMap(({ compaction }) => compaction?.summary ?? [])
  const redaction = startRedaction(redact, { messages, texts })
  const redacted = redaction.messages(messages)
  let next = 0
  const clean = entries.map(({ message, compaction }) => ({
    message: message && redacted[next++],
    summary: compaction && redaction.text(compaction.summary),
  }))
  return { ids: entries.map(({ id }) => id), passages: findPassages(clean, pairCalls(redacted)), timeline }
}

/** The fields in which formats have the time of an entry. */
const TIME_FIELDS = ['timestamp', 'ts', 'time', 'createdAt', 'created_at', 'startTime'] as const

/** Seconds since the epoch have fewer digits than milliseconds, until the year 5138. */
const MAX_SECONDS = 1e11

/** Returns when an element was written, in milliseconds since the epoch. */
function readTime(element: Readonly<Record<string, unknown>>): number | undefined {
  const times = TIME_FIELDS.map((name) => element[name])
  const time = [...times, fieldsOf(element['time'])['created'], fieldsOf(element['message'])['timestamp']].find(
    (one) => typeof one === 'number' || (typeof one === 'string' && !Number.isNaN(Date.parse(one))),
  )
  if (typeof time === 'string') return Date.parse(time)
  return typeof time === 'number' ? time * (time < MAX_SECONDS ? 1000 : 1) : undefined
}
