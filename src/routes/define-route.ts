import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { errorFormatOf } from '../http/error-format.ts'
import { refuseWhileFull } from '../http/refuse-overload.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import { EVENT_STREAM, sendJson, streamHeaders, streamReply } from '../http/stream-reply.ts'
import type { Services } from '../jobs/services.ts'
import type { Report } from '../schemas/compaction-reply.ts'
import { escapeUnit } from '../text/controls.ts'
import { defined } from '../text/defined.ts'
import { isSession, type UseCase, type UseCaseHandler } from '../use-cases/use-case.ts'
import { USE_CASES } from '../use-cases/use-cases.ts'
import { readExample, withExample } from './examples.ts'
import { problemResponses } from './problem-responses.ts'
import type { Route } from './route.ts'
import { receive, runJob, type RunningRequest } from './run-job.ts'
import { describeSession } from './session-docs.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function defineRoute(app: FastifyInstance, useCase: UseCase, services: Services): void {
  const { path, tokenRefusedStatus, open } = useCase
  const config = { ...describedBy(() => schemaOf(useCase)), ...defined({ tokenRefusedStatus }) }
  const opened = open?.(services)
  const handler = opened === undefined ? handlerOf(useCase, services) : handlerBy(opened, useCase, services)
  app.post(path, { config }, handler)
}

/** Answers with what has a state of its own. */
function handlerBy(opened: UseCaseHandler, useCase: UseCase, services: Services): Handler {
  return async (request, reply) => {
    const { budget, headers } = request
    const { received, onHeld } = receive(useCase, { request, budget }, services)
    const { body, facts, status = 200 } = await opened.answer({ received, budget, headers })
    onHeld(body.length)
    Object.assign(request.facts, facts)
    return sendJson(reply.code(status), body)
  }
}

/** Whether clients wait for the reply, and may listen to its progress. Those of other APIs have streams of their own. */
const isLong = ({ isQueued, render }: UseCase): boolean => isQueued && render === undefined

function handlerOf(useCase: UseCase, services: Services): Handler {
  const { render } = useCase
  const { heartbeatMs } = services.settings
  const run = (request: FastifyRequest, budget: RunningRequest['budget'] = request.budget) =>
    runJob(useCase, { request, budget }, services)
  return async (request, reply) => {
    // Before a file there are no events and no spaces, so that an error always has its status.
    if (isLong(useCase) && !wantsFile(useCase, request))
      return streamReply(request, reply, { heartbeatMs, produce: async (budget) => (await run(request, budget)).body })
    const { body, headers } = await run(request)
    if (render === undefined) return headers === undefined ? sendJson(reply, body) : reply.headers(headers).send(body)
    setReport({ request, reply })
    const rendered = render(body)
    if ('events' in rendered) return reply.headers(streamHeaders(EVENT_STREAM)).send(rendered.events)
    return Buffer.isBuffer(rendered.json) ? sendJson(reply, rendered.json) : rendered.json
  }
}

/** Returns whether a request asks for another form of the reply than JSON. Only some use cases have the parameter. */
function wantsFile({ query: declared }: UseCase, { query }: FastifyRequest): boolean {
  const { reply = 'json' } = query as { reply?: unknown }
  return declared?.properties['reply'] !== undefined && reply !== 'json'
}

/** Returns a route as OpenAPI shows it. */
function schemaOf(useCase: UseCase): FastifySchema {
  const { path, operationId, summary, description, tag, security, headers, body, problems } = useCase
  const shown = isSession(body)
    ? describeSession(body, operationId)
    : { body: withExample(body, readExample(operationId)), queries: [] }
  const query = [...shown.queries, useCase.query].filter((one) => one !== undefined)
  return defined({
    ...{ operationId, summary, description, tags: [tag], security, headers },
    querystring: query.length > 0 ? mergeObjects(query) : undefined,
    body: shown.body,
    response: {
      200: describeReply(useCase),
      ...describeAccepted(useCase),
      ...problemResponses(errorFormatOf(path), problems, useCase),
    },
  })
}

const mergeObjects = (schemas: readonly TObject[]): TSchema =>
  Type.Object(Object.assign({}, ...schemas.map(({ properties }) => properties)))

const PROGRESS_EVENTS =
  'For `Accept: text/event-stream`: the events `plan`, `progress` (`{done, total, phase}`), and finally `result` or `problem`. Their data is JSON.'

/**
 * Returns a reply as OpenAPI shows it. Events are in the description only: with a second content type, the types of generated
 * clients would not say whether the reply is an object or a text.
 */
function describeReply(useCase: UseCase): object {
  const { operationId, reply, events } = useCase
  const spaces = isLong(useCase) ? ' With `PRECIS_HEARTBEAT_MS`, a JSON reply may begin with spaces.' : ''
  const streamed = events ?? (isLong(useCase) ? PROGRESS_EVENTS : undefined)
  return describeResult(reply, readExample(`${operationId}.reply`), {
    description: `The result.${spaces}${streamed === undefined ? '' : ` ${streamed}`}`,
  })
}

const describeAccepted = ({ acceptedDescription: description, reply, operationId }: UseCase): object =>
  description === undefined ? {} : { 202: describeResult(reply, readExample(`${operationId}.reply`), { description }) }

/**
 * Returns the part of a route's configuration that describes it for OpenAPI. Nothing else needs the description: it is made, and
 * its examples are read, when somebody asks for the document.
 */
export const describedBy = (schemaOf: () => FastifySchema) => ({
  swaggerTransform: ({ url }: { url: string }) => ({ schema: schemaOf(), url }),
})

/** Returns a reply with an example, as OpenAPI shows it. */
export const describeResult = (
  schema: TSchema,
  example: unknown,
  { description = 'The result.', type = 'application/json' } = {},
) => ({ description, content: { [type]: { schema, example } } })

/** The use cases that write summaries: they wait for a place in the service, and are refused while its queue is full. */
export const queuedRoutes: Route = (services) => async (app) => {
  addRequestBudget(app, { ...services, deadlineMs: services.settings.deadlineMs })
  refuseWhileFull(app, services)
  for (const useCase of USE_CASES) if (useCase.isQueued) defineRoute(app, useCase, services)
}

export const otherRoutes: Route = (services) => async (app) => {
  addRequestBudget(app, { ...services, deadlineMs: services.settings.deadlineMs })
  for (const useCase of USE_CASES) if (!useCase.isQueued) defineRoute(app, useCase, services)
}

/** Sets the header with the report of a request, whose reply has no place for it. */
function setReport({ request: { reported }, reply }: { request: FastifyRequest; reply: FastifyReply }): void {
  if (reported !== undefined) void reply.header('x-precis-report', writeReport(reported.report))
}

/** Proxies refuse heads that are longer than some thousand bytes. */
const MAX_REPORT_CHARACTERS = 2000

/** Returns a report as compact JSON in ASCII; without the lists of the checks if it would be too long for a header. */
export function writeReport(report: Report): string {
  const { checks: _checks, ignored: _ignored, ...short } = report
  const [json = ''] = [report, short].map(asciiJson).filter(({ length }) => length <= MAX_REPORT_CHARACTERS)
  return json
}

const asciiJson = (value: object): string => JSON.stringify(value).replace(/[\u007f-\uffff]/g, escapeUnit)
