import type { TProperties } from '@sinclair/typebox'
import type { preValidationAsyncHookHandler } from 'fastify'
import { SessionBody } from '../ingest/session-body.ts'
import { readQueryFields } from '../schemas/read-query-fields.ts'

/**
 * Makes the entries form of an NDJSON body: its lines are the entries, its other fields are query parameters. A JSON
 * body stays as it is.
 * @param form the route's schema of the entries form
 */
export const readNdjsonForm =
  (form: { properties: TProperties }): preValidationAsyncHookHandler =>
  async (request) => {
    const { body } = request
    if (!(body instanceof SessionBody) || !body.isLines) return
    body.fields = { ...readQueryFields(request.query as Record<string, unknown>, form.properties), entries: [] }
  }
