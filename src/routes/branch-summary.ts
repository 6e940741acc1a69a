import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { CompactionServices } from '../pipelines/services.ts'
import { BranchSummaryReplySchema, BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { summarizeBranch } from '../pipelines/summarize-branch.ts'
import { replyWithReport, asJsonOrEvents, problemResponses } from './reply.ts'
import { TREE_OF_ENTRIES, readNdjsonForm } from './session-body.ts'

/** `POST /branch-summary`: what an agent leaves behind when it goes to another branch. */
export function branchSummaryRoute(app: FastifyInstance, services: CompactionServices, heartbeatMs: number): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/branch-summary',
    {
      schema: {
        summary: 'Summarize a branch that the agent leaves',
        tags: ['compaction'],
        body: BranchSummaryRequestSchema,
        response: { 200: asJsonOrEvents(BranchSummaryReplySchema), ...problemResponses },
      },
      config: { session: TREE_OF_ENTRIES },
      preValidation: readNdjsonForm(BranchSummaryRequestSchema),
    },
    (request, reply) =>
      replyWithReport(request, reply, {
        heartbeatMs,
        work: (budget) => summarizeBranch(request.body, services, budget),
      }),
  )
}
