import type { FastifyPluginAsync } from 'fastify'
import { addRequestBudget } from '../http/request-budget.ts'
import type { CompactionServices } from '../pipeline.ts'
import { branchSummaryRoute } from './branch-summary.ts'
import { compactionRoute } from './compaction.ts'
import { handoffRoute } from './handoff.ts'

/** The routes that ask a summarizer: each of their requests has a budget. */
export const modelRoutes =
  (services: CompactionServices, deadlineMs: number): FastifyPluginAsync =>
  async (app) => {
    addRequestBudget(app, deadlineMs)
    compactionRoute(app, services)
    branchSummaryRoute(app, services)
    handoffRoute(app, services)
  }
