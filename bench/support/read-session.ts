import { readingOf, readRequest } from '../../src/ingest/read-request.ts'
import { PLAN_FORMS } from '../../src/schemas/plan.ts'
import type { Session } from '../../src/session/entry.ts'

const WHOLE = readingOf(PLAN_FORMS, true)

/** Returns the session of a body in the entries or messages form, read as a route reads it, with whole messages. */
export function readSession(body: { entries: readonly unknown[] } | { messages: readonly unknown[] }): Session {
  return readRequest({ body: Buffer.from(JSON.stringify(body)), isLines: false, query: {} }, WHOLE, {
    transcriptTokens: 0,
    maxSummaryTokens: 0,
  }).session
}
