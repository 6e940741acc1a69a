import { refuseWhileFull } from '../http/refuse-overload.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import { branchSummaryRoute } from './branch-summary.ts'
import { chatCompletionsRoute } from './chat-completions.ts'
import { compactionRoute } from './compaction.ts'
import { handoffRoute } from './handoff.ts'
import type { Route } from './route.ts'

const ROUTES: readonly Route[] = [compactionRoute, branchSummaryRoute, handoffRoute, chatCompletionsRoute]

/** The routes that call a summarizer: each of their requests is a job with a time limit. */
export const modelRoutes: Route = (services) => async (app) => {
  refuseWhileFull(app, services.onRefused)
  addRequestBudget(app, services)
  for (const route of ROUTES) await app.register(route(services))
}
