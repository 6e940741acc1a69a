import { compileValidator } from '../../ingest/compile-validator.ts'
import { readRequest } from '../../ingest/read-request.ts'
import { BranchSummaryRequestSchema } from '../../schemas/branch-summary.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { summarizeBranch } from './summarize-branch.ts'

const READING = {
  lists: ['entries' as const],
  isWhole: false,
  validate: compileValidator(BranchSummaryRequestSchema),
  entriesForm: BranchSummaryRequestSchema,
}

export const work = summaryWork({ branch: summarizeBranch }, (received, context) => {
  const request = readRequest(received, READING, context)
  return { name: 'branch', request, ignored: request.ignored, format: request.format }
})
