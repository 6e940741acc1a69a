/** Writes what the agent asked and the user answered, as a decision. */
export const writeAnswered = (asked: string, answered: string): string =>
  `The agent asked: "${asked}" The user answered: "${answered}"`

const ANSWERED = /^(?:- )?The agent asked: "(.*)" The user answered: "(.*)"$/

/** Returns the answer in a line that `writeAnswered` has written; undefined in any other one. */
export const readAnswered = (line: string): string | undefined => ANSWERED.exec(line)?.[2]
