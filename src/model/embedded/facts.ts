/** What an extract of a conversation is made of. Every text stands in the input; nothing is made up. */
export interface SessionFacts {
  /** The first request of the whole session, and the newest; each word for word, up to 500 characters. */
  firstRequest?: string
  newestRequest?: string
  /** A question at the end that nobody has answered, the agent's or the user's. */
  openQuestion?: string
  /** What the user demanded, forbade or prefers, oldest first. */
  constraints: string[]
  /** Oldest first; the last one may still be under way. */
  turns: TurnFact[]
  /** Each command once, with its newest outcome, in the order of that. */
  commands: CommandFact[]
  /** The last error lines, oldest first. */
  errors: string[]
  /** Oldest first. */
  decisions: string[]
  /** As stated last. */
  nextSteps: string[]
}

export interface TurnFact {
  /** The request on one line, shortened. */
  request: string
  /** The agent's closing words on one line, shortened; empty where it said nothing. */
  outcome: string
  changedFiles: string[]
  /** What the agent said on the way, a line each, oldest first; without the closing words. */
  steps: string[]
  /** False where the conversation ends in the middle of the turn. */
  isFinished: boolean
}

export interface CommandFact {
  command: string
  /** Left out where the command succeeded. */
  failure?: string
}
