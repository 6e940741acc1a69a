import type { FastifyPluginAsync } from 'fastify'
import type { CompactionServices } from '../pipeline.ts'
import type { Config } from '../config.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import {
  BranchSummaryReplySchema,
  BranchSummaryRequestSchema,
  type BranchSummaryRequest,
} from '../schemas/branch-summary.ts'
import { summarizeBranch } from '../summarize-branch.ts'
import { factsOfReport } from './facts-of-report.ts'
import { problemResponses } from './problem-responses.ts'
import { readNdjsonForm } from './read-ndjson-form.ts'

interface Options extends CompactionServices {
  config: Pick<Config, 'deadlineMs'>
}

/** `POST /branch-summary`: what an agent leaves behind when it goes to another branch. */
export const branchSummaryRoute =
  (options: Options): FastifyPluginAsync =>
  async (app) => {
    addRequestBudget(app, options.config.deadlineMs)
    app.post<{ Body: BranchSummaryRequest }>(
      '/branch-summary',
      {
        schema: {
          summary: 'Summarize a branch that is left',
          tags: ['compaction'],
          body: BranchSummaryRequestSchema,
          response: { 200: BranchSummaryReplySchema, ...problemResponses },
        },
        preValidation: readNdjsonForm(BranchSummaryRequestSchema),
      },
      async ({ body, budget, facts }) => {
        const reply = await summarizeBranch(body, options, budget)
        Object.assign(facts, factsOfReport(reply.report))
        return reply
      },
    )
  }
