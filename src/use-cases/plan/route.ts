import { PLAN_FORMS, PlanQuerySchema, PlanReplySchema } from '../../schemas/plan.ts'
import { SESSION_PROBLEMS } from '../shared/problems.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /compaction/plan`: returns what a compaction would do, without a model. */
export const compactionPlan: UseCase = {
  path: '/compaction/plan',
  operationId: 'planCompaction',
  summary: 'Plan a compaction',
  tag: 'compaction',
  query: PlanQuerySchema,
  body: { name: 'Plan', forms: PLAN_FORMS },
  reply: PlanReplySchema,
  problems: SESSION_PROBLEMS,
  isQueued: false,
  usesPrepared: true,
  load: async () => (await import('./work.ts')).default,
}
