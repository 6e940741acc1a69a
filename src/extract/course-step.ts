import type { Outcome } from './outcome.ts'

/** What was done in one step: the user's words, edits (how many of each file), or a command with how it ended. */
export type CourseStep =
  | { kind: 'user'; text: string }
  | { kind: 'edits'; files: Map<string, number> }
  | {
      kind: 'command'
      command: string
      outcome: Outcome
      said?: string
      times: number
      isPassed?: boolean
      /** How it passed. */
      fix?: Fix
      /** Why an issue was closed, in the agent's words. */
      reason?: string
      /** Whether it ran again without showing its error. */
      isOver?: boolean
      isAsBefore?: boolean
    }

/** What was done between the failure of a check and its success. */
export interface Fix {
  /** The files that were changed. */
  files: readonly string[]
  /** The command that has passed, if it is another one. */
  command?: string
}

export type CommandStep = Extract<CourseStep, { kind: 'command' }>
