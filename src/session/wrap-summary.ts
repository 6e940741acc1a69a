/** A compaction's summary as the model sees it: the one user message that stands for the conversation before it. */
export function wrapCompactionSummary(summary: string): string {
  return wrap('The conversation before this point was compacted into this summary:', summary)
}

/** A branch summary as the model sees it. */
export function wrapBranchSummary(summary: string): string {
  return wrap(
    'The conversation went down another branch and came back from it. This is a summary of that branch:',
    summary,
  )
}

const wrap = (lead: string, summary: string): string => `${lead}\n\n<summary>\n${summary}\n</summary>`
