/** What people and agents say in a generated session, in one language. */
export interface SessionLanguage {
  name: string
  /** What the user asks for, one for each turn, in order. */
  requests: readonly string[]
  /** What the user demands for good: sentences that are planted into requests. */
  constraints: readonly string[]
  /** What the agent says before a call; `{path}` is the file at hand. */
  remarks: readonly string[]
  /** What the agent says at a turn's end; `{path}` is the file it changed last. */
  results: readonly string[]
  /** Comment lines of the code that is read and written. */
  comments: readonly string[]
  /** All that a forgetful model remembers. */
  forgetful: string
}
