import { withoutFolder } from './check-names.ts'
import { COMMIT_CHECK, STAGING, type Check } from './checks.ts'
import { isQueryPart } from './exit-status.ts'
import { reportsTests, runsTests } from './test-runners.ts'

/** What the output of a chain of commands that has failed says of its parts. */

/**
 * Returns the parts that have passed: those before the tests whose results the output shows, or before the part that reports such errors.
 * @param errorAt the place of that part
 */
export function passedBefore({ parts, proven }: Check, output: string, errorAt: number): readonly string[] {
  if (parts.length < 2 || proven.length !== parts.length) return []
  const tests = reportsTests(output) ? parts.findIndex(runsTests) : -1
  return parts.slice(0, Math.max(0, tests > 0 ? tests : errorAt))
}

/** Returns the part that has run, if it is known of one: the only one, or the only tests, whose results the output shows. */
export function ranIn(parts: readonly string[], output: string): string | undefined {
  const tests =
    parts.length > 1 && reportsTests(output) ? parts.filter((part) => runsTests(withoutFolder(part))) : parts
  return tests.length === 1 ? tests[0] : undefined
}

/** What git goes on with after a conflict. */
const CONTINUED = /git (rebase|merge|cherry-pick|revert|am) --continue$/
const ENDED = /git (rebase|merge|cherry-pick|revert|am) --(?:continue|abort|skip|quit)$/

/** What git says where it could not join two states. */
export const CONFLICTED = /^CONFLICT |could not apply |^Automatic merge failed/

/** Whether a command of git may have ended the conflict of another one, whichever way. */
export function endsConflict(part: string, failed: string): boolean {
  const [, verb = ''] = ENDED.exec(part) ?? []
  const [, begun = ''] = /git (rebase|merge|cherry-pick|revert|am|pull)(?= |$)/.exec(failed) ?? []
  return part.endsWith(COMMIT_CHECK) ? begun !== '' : verb !== '' && (begun === verb || begun === 'pull')
}

/** Whether the failure of a command of git is over after another part has passed: a commit has been made since, or it was continued in its folder. */
export function isOverAfter(part: string, failed: string): boolean {
  if (part.endsWith(COMMIT_CHECK)) return failed.includes(STAGING)
  const continued = CONTINUED.exec(part)
  const begun = continued === null ? undefined : `${part.slice(0, continued.index)}git ${continued[1] ?? ''}`
  return begun !== undefined && (failed === begun || failed.startsWith(`${begun} `))
}

/**
 * Returns the parts of a check that have to pass: not those that only look or change text in place beside others.
 * @param names its parts by the names by which they are compared
 */
export function worksIn(check: Check, names: readonly string[] = check.parts): readonly string[] {
  const works = names.filter((_, at) => !isQueryPart(check.parts[at] ?? ''))
  return works.length > 0 ? works : names
}

/** The end of a command that a summary has cut. */
export const CUT_END = '…'

/** Whether a text is the beginning of another one that was cut. */
export const isBeginning = (cut: string, whole: string): boolean =>
  cut.endsWith(CUT_END) && whole.startsWith(cut.slice(0, -1))
