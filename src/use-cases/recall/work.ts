import { takeTranscriptSummary } from '../../agents/transcripts/summary.ts'
import { Problem, wrongParameter } from '../../errors.ts'
import { invalidBody } from '../../ingest/compile-validator.ts'
import type { ReceivedBody } from '../../ingest/parse-body.ts'
import { readingOf, readRequest, type ReadRequest, type SessionRequest } from '../../ingest/read-request.ts'
import type { Work, WorkContext } from '../../jobs/protocol.ts'
import { searchSessionFor } from '../../recall/search-session.ts'
import { RECALL_FORMS, type RecallReply, type RecallRequest } from '../../schemas/recall.ts'
import type { Entry } from '../../session/entry.ts'
import { selectBranch } from '../../session/link-session.ts'
import { parseConversation, transcriptEntries } from '../../session/parse-transcript.ts'
import { defined } from '../../text/defined.ts'
import { replyWith, requestReport } from '../shared/reply.ts'
import { joinCopies, type SessionCopy, type SessionToSearch } from './join-copies.ts'
import { readSearched, type SearchedEntries } from './searched.ts'

const READING = readingOf(RECALL_FORMS, true)

/** How a session file is read: a transcript is none. */
const { entries, messages } = RECALL_FORMS
const FILE_READING = readingOf({ entries, messages }, true)

export default {
  start: (received, context) => replyWith(recallSession(readRequest(received, READING, context), context)),
} satisfies Work

/** No limit of summaries counts for a session that is read whole. */
const NO_LIMITS = { maxSummaryTokens: 0 }

/** A session file, and its copies from before compactions that have replaced it, oldest first. */
interface RecalledFile extends ReceivedBody {
  copies: readonly { name: string; body: Buffer }[]
}

/**
 * Looks up passages of a session file without a service. Entries that only a copy has are named after it.
 * @throws Problem `unknown-format`, `invalid-session`, `invalid-request`
 */
export const recallFile = (file: RecalledFile, redact: boolean): RecallReply =>
  recallSession(readRequest(file, FILE_READING, NO_LIMITS), { redact }, readCopies(file))

/**
 * Returns a session file as look-ups search it, without a look-up. @throws Problem `unknown-format`, `invalid-session`
 */
export function searchedFile(file: RecalledFile): SearchedEntries {
  const { session, source } = readRequest(file, FILE_READING, NO_LIMITS)
  const own = { entries: session.entries, branch: selectBranch(session), source }
  return readSearched(joinCopies(own, readCopies(file)), true)
}

function readCopies({ copies, query }: RecalledFile): SessionCopy[] {
  const format = defined({ format: query['format'] })
  return copies.map(({ name, body }) => {
    const { session, source } = readRequest({ body, isLines: true, query: format }, FILE_READING, NO_LIMITS)
    return { name, branch: selectBranch(session, undefined), source }
  })
}

/** Returns whether a document is a session of a format that the service knows. */
export function isSessionDocument(body: Buffer): boolean {
  try {
    readRequest({ body, isLines: true, query: {} }, FILE_READING, NO_LIMITS)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const NOTHING_ASKED = 'is required, unless entryIds, kinds, tool, path, before or after say what to look up'
const NOTHING_AROUND = 'is only for entryIds: it adds the entries before and after them'

/** Looks up passages of a session: `POST /recall`. @throws Problem `invalid-session`, `invalid-request` */
function recallSession(
  request: ReadRequest<RecallRequest>,
  { redact }: Pick<WorkContext, 'redact'>,
  copies: readonly SessionCopy[] = [],
): RecallReply {
  const { fields: asked, ignored, format } = request
  const fields = withoutEmpty(asked)
  // The fields of a session file are query parameters: it has no place for them itself.
  checkAsked(fields, format !== undefined || request.source?.isLines === true)
  const own = request.session === undefined ? readConversation(request.fields) : readSession(request)
  return {
    ...searchSessionFor(readSearched(joinCopies(own, copies), redact), fields),
    ...requestReport({ ignored, format }, redact),
  }
}

/** Returns the fields without lists and texts that say nothing: models fill all fields that a tool has. */
const withoutEmpty = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !FILTERS.has(name) || (value as string | unknown[]).length > 0),
  ) as T

const FILTERS: ReadonlySet<string> = new Set(['entryIds', 'kinds', 'tool', 'path', 'before', 'after'])

type Asked = Pick<RecallRequest, 'query' | 'entryIds' | 'kinds' | 'tool' | 'path' | 'before' | 'after' | 'around'>

/** Checks that a request says what to look up. @throws Problem `invalid-request` */
function checkAsked(fields: Asked, areParameters: boolean): void {
  const { query = '', entryIds, kinds, tool, path, before, after, around } = fields
  const refuse = (name: string, detail: string): Problem =>
    areParameters ? wrongParameter(name, detail) : invalidBody([{ pointer: `/${name}`, detail }])
  if (query.trim() === '' && [entryIds, kinds, tool, path, before, after].every((one) => one === undefined))
    throw refuse('query', NOTHING_ASKED)
  if (around !== undefined && entryIds === undefined) throw refuse('around', NOTHING_AROUND)
}

const readSession = ({
  fields: { leafId },
  session,
  source,
}: SessionRequest<{ leafId?: string }>): SessionToSearch => ({
  entries: session.entries,
  branch: selectBranch(session, leafId),
  source,
})

/** Reads a transcript as a session: an earlier summary with which it begins is not what the user said. */
function readConversation({ conversation }: { conversation: string }): SessionToSearch {
  const { transcript, summary } = takeTranscriptSummary(conversation)
  const entries = transcriptEntries(parseConversation(transcript))
  if (summary !== undefined) entries.unshift(summaryEntry(summary))
  return { entries, branch: entries, source: { body: NO_BODY } }
}

/** The elements of a transcript have no times. */
const NO_BODY = Buffer.alloc(0)

const summaryEntry = (summary: string): Entry => ({
  ...{ index: -1, range: { start: 0, end: 0 }, id: 'summary', parentId: null, type: 'message' },
  message: { role: 'compactionSummary', summary },
})
