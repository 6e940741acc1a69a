/** A command, or another tool's work, that failed. */
export interface FailureFact {
  /** The command on one line, or the tool's name and its path. */
  what: string
  /** `exit code 1`, or `error` where no exit status is known. */
  status: string
  /** The last line of what said why; empty where nothing did. */
  error: string
  /** True where the same succeeded afterwards. */
  hasPassed: boolean
}

/** What happened in a session as far as code can tell, oldest first: a summary may be wrong about it, this is not. */
export interface Evidence {
  failures: FailureFact[]
  /** `3f2a1bc message`. */
  commits: string[]
  deleted: string[]
  renamed: { from: string; to: string }[]
}

export const noEvidence = (): Evidence => ({ failures: [], commits: [], deleted: [], renamed: [] })
