import { BranchSummaryReplySchema, BranchSummaryRequestSchema } from '../../schemas/branch-summary.ts'
import { SUMMARY_PROBLEMS } from '../shared/problems.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /branch-summary`: summarizes the branch that an agent leaves when it switches to another one. */
export const branchSummary: UseCase = {
  path: '/branch-summary',
  operationId: 'summarizeBranch',
  summary: 'Summarize a branch that the agent leaves',
  tag: 'compaction',
  body: {
    name: 'Branch',
    forms: { entries: BranchSummaryRequestSchema },
    ownExample: 'The agent leaves e7 and goes to e9',
  },
  reply: BranchSummaryReplySchema,
  problems: SUMMARY_PROBLEMS,
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
}
