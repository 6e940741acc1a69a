import { BranchSummaryReplySchema, BranchSummaryRequestSchema } from '../../schemas/branch-summary.ts'
import { BRANCH_EXAMPLE } from '../../schemas/examples.ts'
import { BRANCH_REPLY } from '../../schemas/reply-examples.ts'
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
    examples: {
      forms: { entries: { summary: 'The agent leaves e7 and goes to e9', value: BRANCH_EXAMPLE } },
      lines: BRANCH_EXAMPLE.entries.map((entry) => JSON.stringify(entry)).join('\n'),
    },
  },
  reply: BranchSummaryReplySchema,
  example: BRANCH_REPLY,
  problems: SUMMARY_PROBLEMS,
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
}
