/** The texts of users and agents in a generated session, in one language. */
export interface SessionLanguage {
  name: string
  /** The user's requests, one per turn, in order. */
  requests: readonly string[]
  /** The user's lasting demands: sentences that are added to requests. */
  constraints: readonly string[]
  /** The agent's texts before a call; `{path}` is the current file. */
  remarks: readonly string[]
  /** The agent's texts at the end of a turn; `{path}` is the file that it changed last. */
  results: readonly string[]
  /** Comment lines of code that is read and written. */
  comments: readonly string[]
  /** The only sentence of a forgetful model. */
  forgetful: string
}
