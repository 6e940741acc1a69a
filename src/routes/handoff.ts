import type { FastifyPluginAsync } from 'fastify'
import type { CompactionServices } from '../pipeline.ts'
import type { Config } from '../config.ts'
import { handOff } from '../hand-off.ts'
import { compileForms } from '../http/compile-validator.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import { HANDOFF_FORMS, HandoffReplySchema, HandoffRequestSchema, type HandoffRequest } from '../schemas/handoff.ts'
import { factsOfReport } from './facts-of-report.ts'
import { problemResponses } from './problem-responses.ts'
import { readNdjsonForm } from './read-ndjson-form.ts'

interface Options extends CompactionServices {
  config: Pick<Config, 'deadlineMs'>
}

/** `POST /handoff`: the document from which a new session goes on. */
export const handoffRoute =
  (options: Options): FastifyPluginAsync =>
  async (app) => {
    addRequestBudget(app, options.config.deadlineMs)
    app.post<{ Body: HandoffRequest }>(
      '/handoff',
      {
        schema: {
          summary: 'Hand over to a new session',
          tags: ['compaction'],
          body: HandoffRequestSchema,
          response: { 200: HandoffReplySchema, ...problemResponses },
        },
        validatorCompiler: () => compileForms(HANDOFF_FORMS),
        preValidation: readNdjsonForm(HANDOFF_FORMS.entries),
      },
      async ({ body, budget, facts }) => {
        const reply = await handOff(body, options, budget)
        Object.assign(facts, factsOfReport(reply.report))
        return reply
      },
    )
  }
