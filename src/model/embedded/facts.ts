/** The content of an extract of a conversation. Every text is from the input. */
export interface SessionFacts {
  /** The first request of the whole session, and the newest; each word for word, up to 500 characters. */
  firstRequest?: string
  newestRequest?: string
  /** An unanswered question at the end, the agent's or the user's. */
  openQuestion?: string
  /** The user's demands, prohibitions and preferences, oldest first. */
  constraints: string[]
  /** Oldest first; the last one may be unfinished. */
  turns: TurnFact[]
  /** Each command once, with its newest outcome, in the order of the outcomes. */
  commands: CommandFact[]
  /** The last error lines, oldest first. */
  errors: string[]
  /** Oldest first. */
  decisions: string[]
  /** The newest list of next steps. */
  nextSteps: string[]
}

export interface TurnFact {
  /** The request on one line, shortened. */
  request: string
  /** The agent's last text on one line, shortened; empty where it said nothing. */
  outcome: string
  changedFiles: string[]
  /** The agent's earlier texts, one line each, oldest first. */
  steps: string[]
  /** False where the conversation ends in the middle of the turn. */
  isFinished: boolean
}

export interface CommandFact {
  command: string
  /** Left out where the command succeeded. */
  failure?: string
}
