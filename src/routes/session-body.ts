import type { TProperties } from '@sinclair/typebox'
import type { preValidationAsyncHookHandler } from 'fastify'
import type { IngestOptions } from '../ingest/json-reader.ts'
import { readQueryFields } from '../ingest/read-request.ts'
import { SessionBody } from '../ingest/session-body.ts'

/** For routes that plan over the active branch. */
export const PLANNED_SESSION: IngestOptions = { names: ['entries', 'messages'], keep: 'considered' }

/** For the route that compares branches: a part that a compaction covers may be on the branch that is left. */
export const TREE_OF_ENTRIES: IngestOptions = { names: ['entries'], keep: 'shown' }

/**
 * Returns a hook that turns an NDJSON body into the entries form: its lines are the entries, and its other fields are query
 * parameters. It does not change a JSON body.
 * @param form the schema of the entries form of the route
 */
export const readNdjsonForm =
  (form: { properties: TProperties }): preValidationAsyncHookHandler =>
  async (request) => {
    const { body } = request
    if (!(body instanceof SessionBody) || !body.isLines) return
    body.fields = { ...readQueryFields(request.query as Record<string, unknown>, form.properties), entries: [] }
  }
