import { BranchSummaryReplySchema, BranchSummaryRequestSchema } from '../../schemas/branch-summary.ts'
import { SUMMARY_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /branch-summary`: summarizes the branch that an agent leaves when it switches to another one. */
export const branchSummary: UseCase = {
  path: '/branch-summary',
  operationId: 'summarizeBranch',
  summary: 'Summarize a branch that the agent leaves',
  description: withRules(
    'Summarizes a branch that the user leaves: the messages after the common ancestor.',
    'The newest messages that fit into the window (`settings.contextWindow` or that of the first candidate) less the reserve are summarized, and always the newest one.',
    'An earlier summary that no longer fits is still included if less than 90 % of this room is used.',
    'The file lists cover all messages that are left behind.',
  ),
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
