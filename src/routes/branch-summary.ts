import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { CompactionServices } from '../pipeline.ts'
import { BranchSummaryReplySchema, BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { summarizeBranch } from '../summarize-branch.ts'
import { answerReported } from './answer-reported.ts'
import { asJsonOrEvents } from './json-or-events.ts'
import { problemResponses } from './problem-responses.ts'
import { TREE_OF_ENTRIES } from './session-lists.ts'
import { readNdjsonForm } from './read-ndjson-form.ts'

/** `POST /branch-summary`: what an agent leaves behind when it goes to another branch. */
export function branchSummaryRoute(app: FastifyInstance, services: CompactionServices, heartbeatMs: number): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/branch-summary',
    {
      schema: {
        summary: 'Summarize a branch that is left',
        tags: ['compaction'],
        body: BranchSummaryRequestSchema,
        response: { 200: asJsonOrEvents(BranchSummaryReplySchema), ...problemResponses },
      },
      config: { session: TREE_OF_ENTRIES },
      preValidation: readNdjsonForm(BranchSummaryRequestSchema),
    },
    (request, reply) =>
      answerReported(request, reply, {
        heartbeatMs,
        work: (budget) => summarizeBranch(request.body, services, budget),
      }),
  )
}
