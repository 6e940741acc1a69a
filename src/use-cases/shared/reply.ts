import { AGENTS } from '../../agents/agents.ts'
import { neutralizeTags } from '../../agents/control-tags.ts'
import type { WrittenSession } from '../../agents/native.ts'
import { wrongParameter } from '../../errors.ts'
import { compileValidator, invalidRequest } from '../../ingest/compile-validator.ts'
import { fieldsOfParameters, readQueryFields, type Query } from '../../ingest/read-query.ts'
import type { Reply } from '../../jobs/protocol.ts'
import { startRedaction } from '../../redact/redaction.ts'
import { NEW_SESSION_FORMATS } from '../../schemas/format-ids.ts'
import type { FormatId } from '../../schemas/format.ts'
import type { Ignored, RequestReport } from '../../schemas/ignored.ts'
import { ReplyQuerySchema, type NewSessionFormat, type ReplyQuery } from '../../schemas/reply-form.ts'
import { sha256 } from '../../session/hash-id.ts'
import { reportIgnored } from '../../summary/report.ts'
import { defined } from '../../text/defined.ts'
import { splitText } from '../../text/shorten.ts'
import type { PipelineResult, WrittenNative } from './pipeline.ts'

/** The notes of a reply on how its request was read. */
export interface ReadingNotes {
  ignored?: Ignored | undefined
  format?: FormatId | undefined
}

/** Returns the field `report` of a reply without a summary; no field if there is nothing to report. */
export function requestReport({ ignored, format }: ReadingNotes, redact: boolean): { report?: RequestReport } {
  if (ignored === undefined && format === undefined) return {}
  return { report: defined({ format, ignored: ignored && reportIgnored(ignored, startRedaction(redact)) }) }
}

/** Returns a value as JSON; it may be JSON already. */
export const writeJson = (value: object): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))

/** Returns the reply of work that needs no model. */
export const replyWith = (value: object): Reply => ({ kind: 'reply', body: writeJson(value) })

const validate = compileValidator(ReplyQuerySchema)

/**
 * Reads how a client wants its reply.
 * @returns the other parameters too
 * @throws Problem `invalid-request`
 */
export function readReplyQuery(query: Query): { replyQuery: ReplyQuery; others: Query } {
  const read = new Set<string>()
  const checked = validate(readQueryFields(query, ReplyQuerySchema.properties, read))
  if ('error' in checked)
    throw invalidRequest(checked.error.faults, fieldsOfParameters(read, ReplyQuerySchema.properties))
  const replyQuery = checked.value
  if (replyQuery.part !== undefined && replyQuery.maxChars === undefined)
    throw wrongParameter('part', 'needs `maxChars`')
  if (replyQuery.maxChars !== undefined && replyQuery.reply !== 'text')
    throw wrongParameter('maxChars', 'needs `reply=text`')
  const { reply, newSession = reply } = replyQuery
  if (isNewSessionFormat(reply) && newSession !== reply)
    throw wrongParameter('newSession', `must not be sent with \`reply=${reply}\``)
  return {
    replyQuery: isNewSessionFormat(newSession) ? { ...replyQuery, newSession } : replyQuery,
    others: Object.fromEntries(Object.entries(query).filter(([name]) => !read.has(name))),
  }
}

const isNewSessionFormat = (value: unknown): value is NewSessionFormat =>
  NEW_SESSION_FORMATS.some((format) => format === value)

interface RenderedReply {
  /** A value for JSON; a Buffer is sent as it is. */
  reply: object
  /** Headers of a reply that is not JSON. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Returns the reply of a pipeline in the form that the client asked for. This is the one place that knows all forms.
 * @param format the format of the session that was posted
 */
export function renderReply(
  { reply, native, newSession, history }: Pick<PipelineResult, 'reply' | 'native' | 'newSession' | 'history'>,
  { replyQuery, format }: { replyQuery: ReplyQuery; format: FormatId | undefined },
): RenderedReply {
  switch (replyQuery.reply) {
    case 'native': {
      if (native === undefined) throw new Error('A request for a native form has prepared none.')
      const { format: nativeFormat, mode, contentType, body } = native
      const headers = {
        'content-type': `${contentType}; charset=utf-8`,
        'x-precis-native': mode,
        'x-precis-format': nativeFormat,
      }
      return { reply: Buffer.from(body), headers }
    }
    case 'text':
      return renderText(summaryOf(reply), replyQuery, format)
    case 'json':
    case undefined: {
      const written = newSession && { newSession: withoutCounts(newSession) }
      return { reply: renderJson({ ...reply, ...(native && { native: withoutFormat(native) }), ...written }, history) }
    }
    default:
      return renderNewSession(newSession)
  }
}

/** Returns a reply with a history, which is JSON already: a parser would change its numbers. */
const renderJson = (reply: object, history: string | undefined): object =>
  history === undefined ? reply : Buffer.from(`${JSON.stringify(reply).slice(0, -1)},"history":${history}}`)

const withoutFormat = ({ format: _format, ...native }: WrittenNative): object => native

const withoutCounts = ({ notCarried: _notCarried, ...session }: WrittenSession): object => session

/** The counts are in a header, as a dictionary of RFC 9651: the body is the session and nothing else. */
function renderNewSession(session: WrittenSession | undefined): RenderedReply {
  if (session === undefined) throw new Error('A request for a new session has prepared none.')
  const { format, contentType, body, notCarried } = session
  const counts = Object.entries(notCarried).map(([name, count]) => `${name.toLowerCase()}=${count}`)
  const headers = {
    'content-type': `${contentType}; charset=utf-8`,
    'x-precis-format': format,
    ...(counts.length === 0 ? {} : { 'x-precis-not-carried': counts.join(', ') }),
  }
  return { reply: Buffer.from(body), headers }
}

const summaryOf = (reply: object): string =>
  'summary' in reply && typeof reply.summary === 'string' ? reply.summary : ''

/** Returns a summary as text, or one part of it. A hook of an agent shows it to its model, so it has no control tags. */
function renderText(summary: string, { maxChars, part = 1 }: ReplyQuery, format: FormatId | undefined): RenderedReply {
  const text = neutralizeTags(summary, format && AGENTS[format].tags)
  const parts = maxChars === undefined ? [text] : splitText(text, maxChars)
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-precis-parts': String(parts.length),
    'x-precis-summary': sha256(text).slice(0, 16),
    ...(format === undefined ? {} : { 'x-precis-format': format }),
  }
  return { reply: Buffer.from(parts[part - 1] ?? ''), headers }
}
