import type { Static, TSchema } from '@sinclair/typebox'
import { compileValidator } from '../../ingest/compile-validator.ts'
import type { ReceivedBody } from '../../ingest/parse-body.ts'
import { readRequest } from '../../ingest/read-request.ts'
import type { SummaryLimits } from '../../settings.ts'

/**
 * Returns a function that reads a body without a session: its `messages` are not those of a session. Replies in the formats of
 * other APIs have no place for what was ignored.
 */
export function fieldsReader<S extends TSchema>(schema: S) {
  const reading = { lists: [], isWhole: true, validate: compileValidator(schema) }
  return (received: ReceivedBody, defaults: SummaryLimits): Static<S> =>
    readRequest<unknown>(received, reading, defaults).fields
}
