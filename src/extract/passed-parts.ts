import { inlineCode } from '../text/shorten.ts'
import { checkName } from './check-names.ts'
import { readCheck } from './checks.ts'
import { overlap } from './test-runners.ts'

/** As many runs of some tests are named. */
const MAX_NAMED = 3

/** Commands that are named in a line, as code: they do not say which tests are left out. */
const NAMED = /^(?!.{0,120} not )[^`<!~]{1,120}$/

/** Returns what is said of a failure beside its status: which runs of some of its tests have passed since. */
export const writePassed = (passed: readonly string[]): string =>
  passed.length === 0 ? '' : `; passed since: ${passed.map(inlineCode).join(', ')}`

/** Of failed runs of tests, the runs of some of these that have passed since: how the others are is not known. */
export class PassedParts {
  /** By the name of the failed check and by their own, as they were written, oldest first. */
  readonly #passed = new Map<string, Map<string, string>>()

  /** Records what an earlier summary says of a failed check. */
  resume(key: string, passed: readonly string[]): void {
    for (const one of passed) this.pass(key, checkName(readCheck(one)), one)
  }

  /** Records a failure: the same tests have not passed any more, for whichever run. @param parts its parts, without folders */
  fail(key: string, parts: readonly string[]): void {
    for (const passed of this.#passed.values())
      for (const one of passed.keys()) if (parts.some((part) => part === one || overlap(part, one))) passed.delete(one)
    this.#passed.delete(key)
  }

  /** Records that a part of a failed check has passed. */
  pass(key: string, name: string, written: string): void {
    if (!NAMED.test(written)) return
    const passed = this.#passed.get(key) ?? new Map<string, string>()
    passed.delete(name)
    this.#passed.set(key, passed.set(name, written))
    const [oldest = ''] = passed.keys()
    if (passed.size > MAX_NAMED) passed.delete(oldest)
  }

  of(key: string): readonly string[] {
    return [...(this.#passed.get(key)?.values() ?? [])]
  }

  remove(key: string): void {
    this.#passed.delete(key)
  }
}
