import type { Outcome } from '../../extract/outcome.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { normalizePath } from '../../files/paths.ts'

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
      isAsBefore?: boolean
    }

export type CommandStep = Extract<CourseStep, { kind: 'command' }>

/** As many steps are remembered: older ones have no room in any summary. */
const MAX_STEPS = 400

const MAX_COMMAND_CHARACTERS = 140
const MAX_SAID_CHARACTERS = 160

/** Commands that only go to a folder before the one that matters. */
const FOLDER_BEFORE = /^cd [^&;|]{1,200}&& ?/

/** The reason for which an issue is closed stands among what is done. */
const REASON = / --reason[= ].*/

/** Records what was done, in order. Only what changed something, or checked it, is a step. */
export class CourseLog {
  #steps: CourseStep[] = []
  /** By the command. */
  readonly #said = new Map<string, string | undefined>()

  say(text: string): void {
    if (text.trim() !== '') this.#add({ kind: 'user', text: oneLine(text) })
  }

  /** Records that a file was changed. */
  change(path: string): void {
    const name = normalizePath(path) ?? path
    const last = this.#steps.at(-1)
    if (last?.kind === 'edits') last.files.set(name, (last.files.get(name) ?? 0) + 1)
    else this.#add({ kind: 'edits', files: new Map([[name, 1]]) })
  }

  /**
   * Records how a command ended.
   * @param said the line of its output that says how
   * @returns the step, or the last one, if that is the same
   */
  run(whole: string, outcome: Outcome, said: string | undefined): CommandStep {
    const command = shorten(oneLine(whole).replace(FOLDER_BEFORE, '').replace(REASON, ''), MAX_COMMAND_CHARACTERS)
    const step: CommandStep = {
      kind: 'command',
      command,
      outcome,
      times: 1,
      ...defined({ said: said && shorten(oneLine(said), MAX_SAID_CHARACTERS) }),
    }
    const isAsBefore = said !== undefined && this.#said.get(command) === step.said
    this.#said.set(command, step.said)
    const last = this.#steps.at(-1)
    if (last?.kind === 'command' && last.command === command && last.said === step.said) {
      last.times += 1
      return last
    }
    if (isAsBefore && outcome.kind === 'succeeded') step.isAsBefore = true
    this.#add(step)
    return step
  }

  steps(): CourseStep[] {
    return this.#steps
  }

  #add(step: CourseStep): void {
    this.#steps.push(step)
    if (this.#steps.length > 2 * MAX_STEPS) this.#steps = this.#steps.slice(-MAX_STEPS)
  }
}
