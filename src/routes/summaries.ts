import type { FastifySchema } from 'fastify'
import { Type, type TSchema } from '@sinclair/typebox'
import { refuseWhileFull } from '../http/refuse-overload.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import type { RouteName } from '../jobs/start-request.ts'
import { BranchSummaryReplySchema, BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { CompactionReplySchema } from '../schemas/compaction-reply.ts'
import { CompactionQuerySchema } from '../schemas/provenance.ts'
import { CompactionRequestSchema } from '../schemas/compaction-request.ts'
import { FormatQuerySchema } from '../schemas/format.ts'
import { ReplyQuerySchema } from '../schemas/reply-form.ts'
import { HandoffReplySchema, HandoffRequestSchema } from '../schemas/handoff.ts'
import { chatCompletionsRoute } from './chat-completions.ts'
import { messagesRoute } from './messages.ts'
import { asJsonOrEvents, problemResponses } from './reply.ts'
import { responsesRoutes } from './responses.ts'
import { CALLED_BY_AGENTS, type Route } from './route.ts'
import { replyWithFile, replyWithJob } from './run-job.ts'

/** The routes that write summaries. They wait for a place in the service, and are refused while its queue is full. */
export const summaryRoutes: Route = (services) => async (app) => {
  addRequestBudget(app, services)
  refuseWhileFull(app, services)
  for (const route of ROUTES) await app.register(route(services))
}

/** `POST /compaction`: returns a checked summary of a session, of messages, of a transcript or for a client's own prompt. */
const compactionRoute = summaryRoute('/compaction', 'compaction', {
  summary: 'Compact a session',
  description:
    'The body has exactly one of the fields `entries`, `messages`, `session`, `conversation` and `prompt`, which selects its form, or it is a session file. The query parameters are for session files: in the other forms, they are fields of the body.',
  body: CompactionRequestSchema,
  reply: CompactionReplySchema,
  querystring: Type.Composite([FormatQuerySchema, ReplyQuerySchema, CompactionQuerySchema]),
  config: CALLED_BY_AGENTS,
})

/** `POST /branch-summary`: summarizes the branch that an agent leaves when it switches to another one. */
const branchSummaryRoute = summaryRoute('/branch-summary', 'branch-summary', {
  summary: 'Summarize a branch that the agent leaves',
  body: BranchSummaryRequestSchema,
  reply: BranchSummaryReplySchema,
})

/** `POST /handoff`: returns the document with which a new session continues. */
const handoffRoute = summaryRoute('/handoff', 'handoff', {
  summary: 'Write a handoff document for a new session',
  body: HandoffRequestSchema,
  reply: HandoffReplySchema,
})

interface SummaryRoute {
  summary: string
  description?: string
  body: TSchema
  reply: TSchema
  /** The parameters that every form has: with `reply`, the reply is a file or a text. */
  querystring?: TSchema
  config?: typeof CALLED_BY_AGENTS
}

function summaryRoute(
  url: string,
  name: RouteName,
  { body, reply: result, querystring, config, ...texts }: SummaryRoute,
): Route {
  const schema: FastifySchema = {
    ...texts,
    querystring: querystring ?? FormatQuerySchema,
    tags: ['compaction'],
    body,
    response: { 200: asJsonOrEvents(result), ...problemResponses(config) },
  }
  return (services) => async (app) => {
    app.post(url, { schema, ...(config && { config }) }, (request, reply) =>
      (querystring !== undefined && isFile(request.query) ? replyWithFile : replyWithJob)(
        name,
        { request, reply },
        services,
      ),
    )
  }
}

/** Returns whether the query asks for another form of the reply than JSON. */
const isFile = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'reply' in query && query.reply !== 'json'

const ROUTES = [compactionRoute, branchSummaryRoute, handoffRoute, chatCompletionsRoute, responsesRoutes, messagesRoute]
