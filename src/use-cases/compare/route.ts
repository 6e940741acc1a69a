import { COMPARISON_FORMS, ComparisonQuerySchema, ComparisonReplySchema } from '../../schemas/comparison.ts'
import { SUMMARY_PROBLEMS } from '../shared/problems.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /compaction/compare`: compares a summary that an agent has written with one of the same entries by this service. */
export const compareCompactions: UseCase = {
  path: '/compaction/compare',
  operationId: 'compareCompactions',
  summary: "Compare an agent's own compaction with one by Précis",
  tag: 'compaction',
  query: ComparisonQuerySchema,
  body: { name: 'Comparison', forms: COMPARISON_FORMS, ownExample: 'The agent has compacted its session itself' },
  reply: ComparisonReplySchema,
  problems: [...SUMMARY_PROBLEMS, 'nothing-to-compare'],
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
}
