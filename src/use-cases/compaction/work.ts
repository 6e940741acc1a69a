import { Problem } from '../../errors.ts'
import { readInclude } from '../../ingest/read-query.ts'
import { readingOf, readRequest } from '../../ingest/read-request.ts'
import { COMPACTION_FORMS } from '../../schemas/compaction-request.ts'
import { COMPACTION_PARTS } from '../../schemas/provenance.ts'
import { readReplyQuery } from '../shared/reply.ts'
import { withSessionWindow } from '../shared/session-window.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { compactConversation } from './compact-conversation.ts'
import { compactSession } from './compact-session.ts'
import { summarizePrompt } from './summarize-prompt.ts'

const READING = readingOf(COMPACTION_FORMS, false)

/** The messages of a new session are needed whole. */
const READING_WHOLE = { ...READING, isWhole: true }

const PIPELINES = { session: compactSession, conversation: compactConversation, prompt: summarizePrompt }

export default summaryWork(PIPELINES, ({ query, ...body }, context) => {
  const { include, others: rest } = readInclude(query, COMPACTION_PARTS)
  const { replyQuery, others } = readReplyQuery(rest)
  const { newSession } = replyQuery
  const reading = newSession === undefined ? READING : READING_WHOLE
  const request = readRequest({ ...body, query: others }, reading, context)
  const isNative = replyQuery.reply === 'native'
  if (request.session !== undefined) {
    const fields = isNative ? { ...request.fields, native: true } : request.fields
    const read = withSessionWindow({ ...request, fields })
    const isPart = replyQuery.maxChars !== undefined
    return { name: 'session', request: { ...read, newSession, include, isPart }, replyQuery, notes: request }
  }
  const { fields, ignored: unknown } = request
  if (isNative || newSession !== undefined) throw new Problem('no-native-form', NO_SESSION)
  if (fields.prepared === 'only') throw new Problem('not-prepared', NOTHING_PREPARED)
  const notes = { ignored: include.size === 0 ? unknown : { ...unknown, query: { ...unknown?.query, include: 1 } } }
  if ('prompt' in fields) return { name: 'prompt', request: fields, replyQuery, notes }
  return { name: 'conversation', request: fields, replyQuery, notes }
})

const NOTHING_PREPARED =
  'Summaries are prepared of sessions, not of a prompt or a transcript. Send the session to /compaction/prepare, and then to /compaction in place of this text; or leave out `prepared`.'

const NO_SESSION =
  'A prompt or a transcript has no native form, and no messages for a new session. Send the session, or ask for `reply=text`.'
