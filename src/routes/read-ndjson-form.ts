import type { TProperties } from '@sinclair/typebox'
import type { preValidationAsyncHookHandler } from 'fastify'
import { NdjsonLines } from '../http/parse-bodies.ts'
import { readQueryFields } from '../schemas/read-query-fields.ts'

/**
 * Makes the entries form of an NDJSON body: its lines are the entries, its other fields are query parameters. A JSON
 * body stays as it is.
 * @param form the route's schema of the entries form
 */
export const readNdjsonForm =
  (form: { properties: TProperties }): preValidationAsyncHookHandler =>
  async (request) => {
    if (!(request.body instanceof NdjsonLines)) return
    const query = request.query as Record<string, unknown>
    request.body = { ...readQueryFields(query, form.properties), entries: request.body.values }
  }
