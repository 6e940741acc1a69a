import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import type { CompactionServices } from '../pipelines/services.ts'
import { compileForms } from '../http/compile-validator.ts'
import { sendLargeJson } from '../http/send-large-json.ts'
import { planSession } from '../pipelines/plan-session.ts'
import { PLAN_FORMS, PlanReplySchema, PlanRequestSchema } from '../schemas/plan.ts'
import { problemResponses } from './reply.ts'
import { PLANNED_SESSION, readNdjsonForm } from './session-body.ts'

/** `POST /compaction/plan`: what a compaction would do, without a model. */
export const planRoute =
  (services: CompactionServices): FastifyPluginAsync =>
  async (app) => {
    app.withTypeProvider<TypeBoxTypeProvider>().post(
      '/compaction/plan',
      {
        schema: {
          summary: 'Plan a compaction',
          tags: ['compaction'],
          body: PlanRequestSchema,
          response: { 200: PlanReplySchema, ...problemResponses },
        },
        validatorCompiler: () => compileForms(PLAN_FORMS),
        config: { session: PLANNED_SESSION },
        preValidation: readNdjsonForm(PLAN_FORMS.entries),
      },
      async ({ body }, reply) => sendLargeJson(reply, (yieldIfDue) => planSession(body, services, yieldIfDue)),
    )
  }
