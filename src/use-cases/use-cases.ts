import { branchSummary } from './branch-summary/route.ts'
import { chatCompletions } from './chat/route.ts'
import { compaction } from './compaction/route.ts'
import { compareCompactions } from './compare/route.ts'
import { compress } from './compress/route.ts'
import { context } from './context/route.ts'
import { handoff } from './handoff/route.ts'
import { messages } from './messages/route.ts'
import { compactionPlan } from './plan/route.ts'
import { prepareCompaction } from './prepare/route.ts'
import { prune } from './prune/route.ts'
import { recall } from './recall/route.ts'
import { responseItems, responseItemsAsMessages } from './response-items/route.ts'
import { responses } from './responses/route.ts'
import type { UseCase } from './use-case.ts'

/** Everything that a client can ask, in the order of the OpenAPI document. */
export const USE_CASES: readonly UseCase[] = [
  compaction,
  branchSummary,
  handoff,
  chatCompletions,
  responses,
  responseItems,
  responseItemsAsMessages,
  messages,
  compactionPlan,
  prepareCompaction,
  compareCompactions,
  prune,
  context,
  recall,
  compress,
]
