/** A word of a simple command. */
export interface Word {
  text: string
  /** With `quoted` in the place of quoted text, and `$quoted` where a shell would replace something in it. */
  shown: string
}

/** Words before the name of a program: assignments, beginnings of groups, and programs that run another one. */
const BEFORE_PROGRAM = /^(?:\w+=.*|[{}!]|sudo|env|time|command|exec|nohup|then|do|else)$/

/** Programs that run another one with a limit or a priority, and what may be between: options, their values, a time. */
const LIMITS = /^(?:g?timeout|nice|ionice|stdbuf|setsid)$/
const LIMIT = /^(?:-.*|\d[\d.]*[smhd]?|[A-Z]{3,9}\d?)$/

/** Returns the index of the name of a program; the number of words if there is no program. */
export function startOfProgram(words: readonly Word[]): number {
  const shownAt = (at: number): string => words[at]?.shown ?? ''
  let start = 0
  for (; start < words.length; start++)
    if (LIMITS.test(shownAt(start))) while (LIMIT.test(shownAt(start + 1))) start += 1
    else if (!BEFORE_PROGRAM.test(shownAt(start))) break
  return start
}
