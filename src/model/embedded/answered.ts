import { quotable } from './quotes.ts'
/** Writes what the agent asked and the user answered, as a decision. */
export const writeAnswered = (asked: string, answered: string): string =>
  `The agent asked: "${asked}" The user answered: "${answered}"`

const ANSWERED = /^(?:- )?The agent asked: "(.*)" The user answered: "(.*)"(?: \(overruled since, .*\))?$/

/** Returns the question and the answer in a line that `writeAnswered` has written; undefined in any other one. */
export function readAnswered(line: string): { asked: string; answered: string } | undefined {
  const [, asked, answered] = ANSWERED.exec(line) ?? []
  return asked === undefined || answered === undefined ? undefined : { asked, answered }
}

const WAITS = "- Waits for somebody, in the user's words: "
const WAITING = new RegExp(`^${WAITS}"(.+)"$`)

/** Returns a statement about what waits for somebody. @param sentence in which the user says so */
export const writeWaiting = (sentence: string): string => `${WAITS}"${quotable(sentence)}"`

/** Returns the user's words in such a statement, if it has no note of what was said since. */
export const readWaiting = (statement: string): string | undefined => WAITING.exec(statement)?.[1]

const OVERRULED = / \(overruled since, in the user's words: ".*"\)$/m

/** Returns a decision that the user has overruled, with his words. */
export const writeOverruled = (line: string, words: string): string =>
  `${line} (overruled since, in the user's words: ${words})`

/** Whether a decision says that the user has overruled it. */
export const isOverruled = (statement: string): boolean => OVERRULED.test(statement)

/** Whether a line has words of the user that say nothing in part. */
export const quotesUser = (line: string): boolean =>
  readAnswered(line) !== undefined || line.startsWith(WAITS) || isOverruled(line)
