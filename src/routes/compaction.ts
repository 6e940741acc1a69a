import { compactConversation } from '../pipelines/compact-conversation.ts'
import { compactSession } from '../pipelines/compact-session.ts'
import type { CompactionServices, PipelineBudget } from '../pipelines/services.ts'
import { readingOf, type ReadRequest } from '../ingest/read-request.ts'
import { CompactionReplySchema } from '../schemas/compaction-reply.ts'
import { COMPACTION_FORMS, CompactionRequestSchema, type CompactionRequest } from '../schemas/compaction-request.ts'
import { summarizePrompt } from '../pipelines/summarize-prompt.ts'
import { readsSession } from './session-body.ts'
import { CALLED_BY_AGENTS, type Route } from './route.ts'
import { replyWithReport, asJsonOrEvents, problemResponses } from './reply.ts'

/** `POST /compaction`: returns a checked summary of a session, of messages, of a transcript or for a client's own prompt. */
export const compactionRoute: Route = (services) => async (app) => {
  const schema = {
    summary: 'Compact a session',
    description:
      'The request has one of four forms. It must have exactly one of the fields `prompt`, `entries`, `messages` and `conversation`, which selects the form.',
    tags: ['compaction'],
    body: CompactionRequestSchema,
    response: { 200: asJsonOrEvents(CompactionReplySchema), ...problemResponses },
  }
  app.post(
    '/compaction',
    {
      schema,
      config: { ...CALLED_BY_AGENTS, isJob: true },
      ...readsSession(readingOf(COMPACTION_FORMS, false)),
    },
    (request, reply) =>
      replyWithReport(request, reply, {
        heartbeatMs: services.heartbeatMs,
        produce: (budget) => compact(request.body as unknown as ReadRequest<CompactionRequest>, services, budget),
      }),
  )
}

function compact(request: ReadRequest<CompactionRequest>, services: CompactionServices, budget: PipelineBudget) {
  if (request.session !== undefined) return compactSession(request, services, budget)
  const { fields } = request
  if ('prompt' in fields) return summarizePrompt(fields, services, budget)
  return compactConversation(fields, services, budget)
}
