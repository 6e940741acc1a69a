/** Characters with a meaning for a shell, outside of quotes and inside of double quotes. */
const SHELL_ONLY = /[|;&<>()`$\n*?[\]{}~#!]/
const SHELL_IN_QUOTES = /[`$]/

/**
 * Returns the words of a command as a shell splits them, with its quotes and backslashes. No shell runs: what only a shell can do
 * is refused.
 * @throws Error that says what to do
 */
export function commandWords(command: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at)
    const next = command.charAt(at + 1)
    if (quote === '' && /[ \t]/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (quote === '' && /['"]/.test(character)) {
      quote = character
      word ??= ''
    } else if (character === quote) quote = ''
    else if (isEscape(character, next, quote)) {
      word = (word ?? '') + next
      at++
    } else {
      refuseShell(character, quote)
      word = (word ?? '') + character
    }
  }
  if (quote !== '') throw new Error(`A ${quote} has no end.`)
  return word === undefined ? words : [...words, word]
}

/** In double quotes, a backslash is one of its own before most characters (POSIX, "Shell Command Language", 2.2.3). */
const isEscape = (character: string, next: string, quote: string): boolean =>
  character === '\\' && next !== '' && (quote === '' || (quote === '"' && /["\\$`]/.test(next)))

function refuseShell(character: string, quote: string): void {
  const pattern = quote === '' ? SHELL_ONLY : SHELL_IN_QUOTES
  if (quote === "'" || !pattern.test(character)) return
  const shown = character === '\n' ? 'The end of a line' : character
  throw new Error(`${shown} needs a shell, and none runs. Write: sh -c '...', or put it into single quotes.`)
}
