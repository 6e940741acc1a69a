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
      /** Whether it ran again without showing its error. */
      isOver?: boolean
      isAsBefore?: boolean
    }

export type CommandStep = Extract<CourseStep, { kind: 'command' }>
