import { oneLine } from '../text/shorten.ts'

/** The number of characters by which an error is recognized: a summary may shorten it. */
const COMPARED_CHARACTERS = 40

/** The tests that failed, before the reason of one of them: a text may state each without the other. */
const TESTS = /^\d{1,9}(?: of \d{1,9})? tests? failed(?:: (.{1,800}?))?(?:; |$)/

/** Whether a text states an error of the evidence, perhaps in part. */
export function isSameError(proven: string, stated: string): boolean {
  const [tests = '', names = ''] = TESTS.exec(oneLine(proven)) ?? []
  const reason = oneLine(proven).slice(tests.length)
  const parts = [reason, names].filter((text) => text !== '')
  return parts.length === 0 || parts.some((text) => includesStart(stated, text))
}

const includesStart = (stated: string, text: string): boolean =>
  oneLine(stated).includes(text.slice(0, COMPARED_CHARACTERS).trimEnd())

/** Returns the names of the tests that an error of the evidence says have failed. */
export const namesOfTests = (error: string): string[] => TESTS.exec(error)?.[1]?.split(', ') ?? []
