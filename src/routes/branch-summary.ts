import { compileValidator } from '../ingest/compile-validator.ts'
import type { ReadRequest } from '../ingest/read-request.ts'
import {
  BranchSummaryReplySchema,
  BranchSummaryRequestSchema,
  type BranchSummaryRequest,
} from '../schemas/branch-summary.ts'
import { summarizeBranch } from '../pipelines/summarize-branch.ts'
import { replyWithReport, asJsonOrEvents, problemResponses } from './reply.ts'
import { readsSession } from './session-body.ts'
import type { Route } from './route.ts'

/** `POST /branch-summary`: summarizes the branch that an agent leaves when it switches to another one. */
export const branchSummaryRoute: Route = (services) => async (app) => {
  app.post(
    '/branch-summary',
    {
      schema: {
        summary: 'Summarize a branch that the agent leaves',
        tags: ['compaction'],
        body: BranchSummaryRequestSchema,
        response: { 200: asJsonOrEvents(BranchSummaryReplySchema), ...problemResponses },
      },
      config: { isJob: true },
      ...readsSession({
        lists: ['entries'],
        isWhole: false,
        validate: compileValidator(BranchSummaryRequestSchema),
        entriesForm: BranchSummaryRequestSchema,
      }),
    },
    (request, reply) =>
      replyWithReport(request, reply, {
        heartbeatMs: services.heartbeatMs,
        produce: (budget) =>
          summarizeBranch(request.body as unknown as ReadRequest<BranchSummaryRequest>, services, budget),
      }),
  )
}
