import { PLAN_FORMS, PlanQuerySchema, PlanReplySchema } from '../../schemas/plan.ts'
import { SESSION_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /compaction/plan`: returns what a compaction would do, without a model. */
export const compactionPlan: UseCase = {
  path: '/compaction/plan',
  operationId: 'planCompaction',
  summary: 'Plan a compaction',
  description: withRules(
    'Answers whether the agent should compact now, and what a compaction would do. It calls no model. Rule 11 of docs/contract.md says which action and which reason a plan has.',
    'With `include=entries`, each entry also has its text, tools and `range`: its bytes in the posted document, or in the text of the session if an envelope has it as a text. Several entries may share a range.',
    'With `include=prompts`, the reply has `prompts`, exactly as they would be sent to a model, before they are split, and the previous summary. Both may be combined (`include=entries,prompts`), with every form of the body.',
    '`entries` has every entry of the request, in order, without header and title lines. The first kept entry has the region `kept` even if it has no message; a compaction has `ignored`.',
  ),
  tag: 'compaction',
  query: PlanQuerySchema,
  body: { name: 'Plan', forms: PLAN_FORMS },
  reply: PlanReplySchema,
  problems: SESSION_PROBLEMS,
  isQueued: false,
  usesPrepared: true,
  load: async () => (await import('./work.ts')).default,
}
