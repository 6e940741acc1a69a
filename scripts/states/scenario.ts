import type { Fields } from '../resume/fake-model.ts'

/** What the model says, and the tool that it calls then. `{project}` in arguments is the path of the project. */
export interface Step {
  say?: string
  call?: string
  args?: Fields
  /** The user interrupts the turn: before the answer, or, if a tool is called, while it runs. */
  isInterrupted?: boolean
  /** How many tokens the request counts, so that the client compacts. */
  tokens?: number
}

/** One request of the user, and the steps of the model. A command of the client, such as `/compact`, has no steps. */
export interface Turn {
  prompt: string
  steps: readonly Step[]
  /** Options of the client for this turn. */
  flags?: readonly string[]
}

/** One session to record. */
export interface Scenario {
  /** The name of the file below `test/fixtures/states/`. */
  name: string
  client: string
  /** The files of the project when the session begins. */
  files: Readonly<Record<string, string>>
  turns: readonly Turn[]
  /** The text of a compaction, where the client asks its model for one. */
  summary?: string
}

/** Returns a step that calls a tool. */
export const call = (name: string, args: Fields, text = ''): Step => ({ say: text, call: name, args })

/** Returns the step that ends a turn. */
export const say = (text: string): Step => ({ say: text })
