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
