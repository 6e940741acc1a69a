import { withoutFolder } from './check-names.ts'
import type { Check } from './checks.ts'
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
