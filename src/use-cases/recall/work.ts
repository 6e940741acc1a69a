import { invalidBody } from '../../ingest/compile-validator.ts'
import { readingOf, readRequest, type ReadRequest } from '../../ingest/read-request.ts'
import type { Work, WorkContext } from '../../jobs/protocol.ts'
import { pairCalls } from '../../extract/runs.ts'
import { findPassages } from '../../recall/find-passages.ts'
import { searchSessionFor, type SearchedSession } from '../../recall/search-session.ts'
import { Timeline } from '../../recall/timeline.ts'
import { startRedaction } from '../../redact/redaction.ts'
import { RECALL_FORMS, type RecallReply, type RecallRequest } from '../../schemas/recall.ts'
import { fieldsOf, parseJson, type Entry } from '../../session/entry.ts'
import { selectBranch } from '../../session/link-session.ts'
import { replyWith, requestReport } from '../shared/reply.ts'

const READING = readingOf(RECALL_FORMS, true)

export default {
  start: (received, context) => replyWith(recallSession(readRequest(received, READING, context), context)),
} satisfies Work

/** Looks up passages of a session: `POST /recall`. @throws Problem `invalid-session`, `invalid-request` */
export function recallSession(
  { fields, session, source, ignored, format }: ReadRequest<RecallRequest>,
  { redact }: Pick<WorkContext, 'redact'>,
): RecallReply {
  const { query = '', entryIds, kinds, tool, path } = fields
  if (query.trim() === '' && [entryIds, kinds, tool, path].every((one) => one === undefined))
    throw invalidBody([
      { pointer: '/query', detail: 'is required, unless entryIds, kinds, tool or path say what to look up' },
    ])
  const timeline = new Timeline(session.entries, selectBranch(session, fields.leafId), (entry) =>
    readTime(fieldsOf(parseJson(source.body.toString('utf8', entry.range.start, entry.range.end)))),
  )
  return {
    ...searchSessionFor(searched(session.entries, timeline, redact), fields),
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
