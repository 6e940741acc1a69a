import type { CommandStep, CourseStep } from './course-step.ts'

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
