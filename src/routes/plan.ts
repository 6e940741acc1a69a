import { compileForms } from '../http/compile-validator.ts'
import { sendLargeJson } from '../http/send-large-json.ts'
import { planSession } from '../pipelines/plan-session.ts'
import { PLAN_FORMS, PlanReplySchema, PlanRequestSchema } from '../schemas/plan.ts'
import { problemResponses } from './reply.ts'
import type { Route } from './route.ts'
import { PLANNED_SESSION, readNdjsonForm } from './session-body.ts'

/** `POST /compaction/plan`: returns what a compaction would do, without a model. */
export const planRoute: Route = (services) => async (app) => {
  app.post(
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
