import { baseName } from '../files/paths.ts'
import { defined } from '../text/defined.ts'
import { SENTENCE_END } from '../text/list-marks.ts'
import { inlineCode, shorten } from '../text/shorten.ts'
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
interface Fix {
  /** The files that were changed. */
  files: readonly string[]
  /** The command that has passed, if it is another one. */
  command?: string
}

export type CommandStep = Extract<CourseStep, { kind: 'command' }>

/** What stands above the steps of a course. */
export const COURSE_HEADS = {
  all: '- All commands (but looks), edits and words of the user, in order:',
  newest: '- The newest commands (but looks), edits and words of the user, in order:',
  earlier:
    '- Before them, what was committed, published or closed, each with what the user had said, and what failed and passed later, in order:',
} as const

/** The form of a head: a later summary recognizes it. */
export const COURSE =
  /^- (?:(?:All|The newest) commands \(but looks\), edits and words of the user|Before them, what was committed, published or closed), /

/** So many steps are read; older work is in the other sections. */
export const MAX_STEPS = 60

/** Fewer steps need no account of their order: the other sections have them. */
export const MIN_STEPS = 8

/** A request is recognized by its beginning. */
const MAX_REQUEST_CHARACTERS = 38

/** Returns the steps that are written: the newest, without words after which nothing was done. */
export function chooseSteps(all: readonly CourseStep[]): CourseStep[] {
  const steps = all.filter(({ kind }, at) => kind !== 'user' || all[at + 1]?.kind !== 'user')
  if (steps.length <= MAX_STEPS) return steps
  const telling = steps.filter((step, at) => at >= steps.length - MAX_STEPS / 4 || !onlyRan(step))
  return telling.slice(-MAX_STEPS)
}

/** Whether nothing is known of a command but that it ran. */
export const onlyRan = (step: CourseStep): boolean =>
  step.kind === 'command' && step.outcome.kind === 'unknown' && step.said === undefined

/** Whether some steps are all that was done: words of the user do not count. */
export const isWholeCourse = (all: readonly CourseStep[], steps: readonly CourseStep[]): boolean =>
  countDone(all) === countDone(steps)

const countDone = (steps: readonly CourseStep[]): number => steps.filter(({ kind }) => kind !== 'user').length

/** Returns each step as a line, without a mark of a list. */
export function describeSteps(steps: readonly CourseStep[]): string[] {
  const nameOf = namesOf(steps)
  return steps.map((step) => describeStep(step, nameOf))
}

/** Returns each step as a line, with how a failure was solved and why an issue was closed: the steps between them are not written. */
export function describeMilestones(steps: readonly CourseStep[]): string[] {
  const nameOf = namesOf(steps)
  return steps.map((step) => (step.kind === 'command' ? describeMilestone(step, nameOf) : describeStep(step, nameOf)))
}

const MAX_MILESTONE_CHARACTERS = 90
const MAX_CAUSE_CHARACTERS = 110
const MAX_REASON_CHARACTERS = 160

function describeMilestone(step: CommandStep, nameOf: (path: string) => string): string {
  const { reason, fix } = step
  const command = shorten(step.command, MAX_MILESTONE_CHARACTERS)
  const said = step.said && shorten(step.said, MAX_CAUSE_CHARACTERS)
  const line = describeCommand({ ...step, command, ...defined({ said }) })
  if (fix !== undefined) {
    const files = fix.files.length === 0 ? [] : [`after changes of ${fix.files.map(nameOf).join(', ')}`]
    const other =
      fix.command === undefined ? [] : [`with ${inlineCode(shorten(fix.command, MAX_MILESTONE_CHARACTERS))}`]
    return `${line.slice(0, -1)} ${[...files, ...other].join(', ')})`
  }
  return reason === undefined ? line : `${line}, "${bothEnds(reason.replaceAll('"', "'"))}"`
}

/** Returns a text; of a long one, the first and the last sentence, which say what was done, and with which result. */
function bothEnds(text: string): string {
  const sentences = text.split(SENTENCE_END)
  const [first = text] = sentences
  const ends = sentences.length < 3 ? text : `${first} … ${sentences.at(-1) ?? ''}`
  return shorten(text.length <= MAX_REASON_CHARACTERS ? text : ends, MAX_REASON_CHARACTERS)
}

function describeStep(step: CourseStep, nameOf: (path: string) => string): string {
  switch (step.kind) {
    case 'user':
      return `the user: "${shorten(step.text.replaceAll('"', "'"), MAX_REQUEST_CHARACTERS)}"`
    case 'edits':
      return `edited ${describeEdits(step.files, nameOf)}`
    case 'command':
      return describeCommand(step)
  }
}

/** Files beyond these are counted. */
const MAX_EDITED_FILES = 12

function describeEdits(files: ReadonlyMap<string, number>, nameOf: (path: string) => string): string {
  const shown = [...files].slice(0, MAX_EDITED_FILES)
  const more = files.size > shown.length ? [`${files.size - shown.length} more`] : []
  return [...shown.map(([path, count]) => nameOf(path) + (count === 1 ? '' : ` ${count} times`)), ...more].join(', ')
}

function describeCommand({ command, outcome, said: whole, times, isPassed, isOver, isAsBefore }: CommandStep): string {
  const said = isAsBefore === true ? 'as before' : whole
  // A number of tests that is the same as before is shorter than what is left out for having been said.
  const isBrief =
    outcome.kind === 'failed' || (outcome.kind === 'succeeded' && (said?.length ?? 0) < MAX_BRIEF_CHARACTERS)
  const printed = said === undefined ? [] : [isBrief ? said : `printed: ${said}`]
  const facts = [...writeOutcome(outcome), ...printed].join(', ')
  const later = isPassed === true ? ['passed later'] : isOver === true ? ['not seen again later'] : []
  const notes = [...(times > 1 ? [`${times} times`] : []), ...later].join('; ')
  return `${inlineCode(command)}${facts === '' ? '' : `: ${facts}`}${notes === '' ? '' : ` (${notes})`}`
}

const MAX_BRIEF_CHARACTERS = 38

/** Returns how a command ended; if that is unknown, its exit status, where that is no success. */
export function writeOutcome({ kind, status = 'error', exitCode = 0, isRefused }: Outcome): string[] {
  if (isRefused === true) return [status]
  if (kind === 'unknown') return exitCode === 0 ? [] : [`exit code ${exitCode}`]
  return [kind === 'succeeded' ? 'ok' : `failed (${status})`]
}

/** Returns a function that names a file of the steps: by its last part, or by two where several files have the same one. */
function namesOf(steps: readonly CourseStep[]): (path: string) => string {
  const pathsOf = (step: CourseStep): readonly string[] =>
    step.kind === 'edits' ? [...step.files.keys()] : step.kind === 'command' ? (step.fix?.files ?? []) : []
  const paths = new Set(steps.flatMap(pathsOf))
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(baseName(path), (counts.get(baseName(path)) ?? 0) + 1)
  return (path) => (counts.get(baseName(path)) === 1 ? baseName(path) : path.split('/').slice(-2).join('/'))
}

/** Commands that end a piece of work: what was done before them was committed, published, merged or closed. */
const ENDS_WORK =
  /(?:^|[&;|] ?)(?:git (?:commit|push|tag|merge|revert)|(?:npm|pnpm|yarn|bun|cargo|twine|poetry) (?:run )?(?:publish|release|deploy|upload)|(?:gh|glab) (?:pr|mr|release|issue) (?:create|merge|close)|bd close)\b/

const endsWork = (step: CourseStep): step is CommandStep => step.kind === 'command' && ENDS_WORK.test(step.command)

/** Whether a step has failed with an error, and it is known how it passed later. */
export const isSolved = (step: CourseStep): boolean =>
  step.kind === 'command' && step.said !== undefined && step.fix !== undefined

/**
 * Returns the steps that ended a piece of work, each with the newest words of the user before it, and those that failed and passed later,
 * in order. A command that failed ends work only if it never passed; what others printed is left out.
 */
export function findMilestones(steps: readonly CourseStep[]): CourseStep[] {
  const found = new Map<number, CourseStep>()
  let said: number | undefined
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'user') said = at
    if (isSolved(step)) found.set(at, step)
    if (!endsWork(step) || (step.outcome.kind === 'failed' && isRepeated(step, steps, at))) continue
    const words = steps[said ?? -1]
    if (said !== undefined && words !== undefined) found.set(said, words)
    said = undefined
    found.set(at, step.outcome.kind === 'failed' ? step : withoutOutput(step))
  }
  return [...found].sort(([a], [b]) => a - b).map(([, step]) => step)
}

/** Whether a command that failed passed later, or was tried again before the user said anything. */
function isRepeated({ command, isPassed }: CommandStep, steps: readonly CourseStep[], at: number): boolean {
  if (isPassed === true) return true
  for (const step of steps.slice(at + 1, at + LOOK_AHEAD)) {
    if (step.kind === 'user') return false
    if (endsWork(step) && step.command === command) return true
  }
  return false
}

/** A command that failed is tried again after few steps. */
const LOOK_AHEAD = 40

const withoutOutput = ({ said: _said, isAsBefore: _isAsBefore, ...step }: CommandStep): CommandStep => step
