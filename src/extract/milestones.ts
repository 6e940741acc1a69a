import type { CourseStep } from './course-log.ts'

/** Commands that end a piece of work: what was done before them was committed, published, merged or closed. */
const ENDS_WORK =
  /(?:^|[&;|] ?)(?:git (?:commit|push|tag|merge|revert)|(?:npm|pnpm|yarn|bun|cargo|twine|poetry) (?:run )?(?:publish|release|deploy|upload)|(?:gh|glab) (?:pr|mr|release|issue) (?:create|merge|close)|bd close)\b/

const endsWork = (step: CourseStep | undefined): boolean => step?.kind === 'command' && ENDS_WORK.test(step.command)

/** Returns the steps that ended a piece of work, each with the newest words of the user before it, in order. */
export function findMilestones(steps: readonly CourseStep[]): CourseStep[] {
  const found: CourseStep[] = []
  let said: CourseStep | undefined
  for (const step of steps) {
    if (step.kind === 'user') said = step
    if (!endsWork(step)) continue
    if (said !== undefined) found.push(said)
    said = undefined
    found.push(step)
  }
  return found
}
