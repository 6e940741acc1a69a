import type { preValidationAsyncHookHandler, RouteShorthandOptions } from 'fastify'
import { readRequest, type RequestReading, type SessionSource } from '../ingest/read-request.ts'
import type { CollectedBody } from '../http/parse-bodies.ts'

/** Returns the options of a route that reads a session's body in this process: its `request.body` is a `ReadRequest`. */
export function readsSession<Form>(reading: RequestReading<Form>) {
  const preValidation: preValidationAsyncHookHandler = async (request) => {
    const received = request.body as CollectedBody | undefined
    const read: { source?: SessionSource | undefined } = readRequest(
      {
        body: received === undefined ? undefined : Buffer.concat(received.chunks),
        isLines: received?.isLines === true,
        query: request.query as Record<string, unknown>,
      },
      reading,
    )
    request.reserveElements(read.source?.ranges.length ?? 0)
    request.body = read
  }
  return { preValidation, validatorCompiler: () => (value: unknown) => ({ value }) } satisfies RouteShorthandOptions
}
