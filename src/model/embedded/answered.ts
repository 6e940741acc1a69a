/** Writes what the agent asked and the user answered, as a decision. */
export const writeAnswered = (asked: string, answered: string): string =>
  `The agent asked: "${asked}" The user answered: "${answered}"`

const ANSWERED = /^(?:- )?The agent asked: "(.*)" The user answered: "(.*)"(?: \(overruled since, .*\))?$/

/** Returns the question and the answer in a line that `writeAnswered` has written; undefined in any other one. */
export function readAnswered(line: string): { asked: string; answered: string } | undefined {
  const [, asked, answered] = ANSWERED.exec(line) ?? []
  return asked === undefined || answered === undefined ? undefined : { asked, answered }
}

const WAITING = /^- Waits for somebody, in the user's words: "(.+)"$/

/** Returns a statement about what waits for somebody. @param sentence in which the user says so */
export const writeWaiting = (sentence: string): string =>
  `- Waits for somebody, in the user's words: "${sentence.replaceAll('"', "'")}"`

/** Returns the user's words in such a statement. */
export const readWaiting = (statement: string): string | undefined => WAITING.exec(statement)?.[1]

const SINCE = / \((?:lifted|overruled) since, in the user's words: ".*"\)$/m

/** Returns a line about something that the user has lifted or overruled, with his words. */
export const writeSince = (line: string, verdict: 'lifted' | 'overruled', words: string): string =>
  `${line} (${verdict} since, in the user's words: ${words})`

/** Whether a statement says that the user has lifted or overruled it. */
export const isSettledByUser = (statement: string): boolean => SINCE.test(statement)

/** Whether a line has words of the user that say nothing in part. */
export const quotesUser = (line: string): boolean =>
  readAnswered(line) !== undefined || readWaiting(line) !== undefined || isSettledByUser(line)
