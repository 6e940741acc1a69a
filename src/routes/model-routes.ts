import type { FastifyPluginAsync } from 'fastify'
import type { Admission, OnRefused } from '../http/admission.ts'
import { refuseWhileFull } from '../http/refuse-overload.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import type { StartTimer } from '../runtime/abort.ts'
import type { CompactionServices } from '../pipelines/services.ts'
import { branchSummaryRoute } from './branch-summary.ts'
import { chatCompletionsRoute } from './chat-completions.ts'
import { compactionRoute } from './compaction.ts'
import { handoffRoute } from './handoff.ts'

interface ModelRouteLimits {
  startTimer?: StartTimer | undefined
  deadlineMs: number
  heartbeatMs: number
  admission: Admission
  onRefused: OnRefused
}

/** The routes that ask a summarizer: each of their requests has a budget. */
export const modelRoutes =
  (services: CompactionServices, limits: ModelRouteLimits): FastifyPluginAsync =>
  async (app) => {
    refuseWhileFull(app, limits.onRefused)
    addRequestBudget(app, limits)
    compactionRoute(app, services, limits.heartbeatMs)
    branchSummaryRoute(app, services, limits.heartbeatMs)
    handoffRoute(app, services, limits.heartbeatMs)
    chatCompletionsRoute(app, services)
  }
