import { compactConversation } from '../pipelines/compact-conversation.ts'
import { compactSession } from '../pipelines/compact-session.ts'
import type { CompactionServices, PipelineBudget } from '../pipelines/services.ts'
import { compileForms } from '../ingest/compile-validator.ts'
import { CompactionReplySchema } from '../schemas/compaction-reply.ts'
import { COMPACTION_FORMS, CompactionRequestSchema, type CompactionRequest } from '../schemas/compaction-request.ts'
import { summarizePrompt } from '../pipelines/summarize-prompt.ts'
import { PLANNED_SESSION, readNdjsonForm } from './session-body.ts'
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
      validatorCompiler: () => compileForms(COMPACTION_FORMS),
      config: { ...CALLED_BY_AGENTS, session: PLANNED_SESSION },
      preValidation: readNdjsonForm(COMPACTION_FORMS.entries),
    },
    (request, reply) =>
      replyWithReport(request, reply, {
        heartbeatMs: services.heartbeatMs,
        produce: (budget) => compact(request.body, services, budget),
      }),
  )
}

function compact(body: CompactionRequest, services: CompactionServices, budget: PipelineBudget) {
  if ('prompt' in body) return summarizePrompt(body, services, budget)
  if ('conversation' in body) return compactConversation(body, services, budget)
  return compactSession(body, services, budget)
}
