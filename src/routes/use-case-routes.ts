import { refuseWhileFull } from '../http/refuse-overload.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import { USE_CASES } from '../use-cases/use-cases.ts'
import { defineRoute } from './define-route.ts'
import type { Route } from './route.ts'

/** The use cases that write summaries: they wait for a place in the service, and are refused while its queue is full. */
export const queuedRoutes: Route = (services) => async (app) => {
  addRequestBudget(app, { ...services, deadlineMs: services.settings.deadlineMs })
  refuseWhileFull(app, services)
  for (const useCase of USE_CASES) if (useCase.isQueued) defineRoute(app, useCase, services)
}

/** The other use cases. */
export const otherRoutes: Route = (services) => async (app) => {
  addRequestBudget(app, { ...services, deadlineMs: services.settings.deadlineMs })
  for (const useCase of USE_CASES) if (!useCase.isQueued) defineRoute(app, useCase, services)
}
