import { readingOf, readRawMessage, readRequest } from '../../ingest/read-request.ts'
import type { Work } from '../../jobs/protocol.ts'
import { buildContext } from '../../plan/region.ts'
import { CONTEXT_FORMS } from '../../schemas/context.ts'
import { selectBranch } from '../../session/link-session.ts'
import { replyWith, requestReport } from '../shared/reply.ts'

const READING = readingOf(CONTEXT_FORMS, true)

export default {
  start(received, context) {
    const { fields, session, source, ignored, format } = readRequest(received, READING, context)
    const branch = selectBranch(session, fields.leafId)
    const messages = buildContext(branch, (entry) => readRawMessage(source, entry))
    return replyWith({ messages, ...requestReport({ ignored, format }, context.redact) })
  },
} satisfies Work
