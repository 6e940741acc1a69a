import { closeOf, endAt, endOfRun, matchAt, type Span } from '../scan.ts'

/** How much of a command is read. */
const COMMAND_WORDS = 50
export const COMMAND_CHARACTERS = 1_000

/** Blanks between words: also a line end behind a backslash. */
const BLANKS = /(?:[ \t]|\\\r?\n|\\{3,7}n|\\{2,3}t){1,100}/y

/** A part of a word without quotes. Signs that end a command in a shell belong to a word that goes on behind them. */
const PART = /(?:[^\s"'`\\|;&<>“”]|[;&](?=[^\s"'`\\|;&<>])|\\(?![\\\r\nnrtu"'`])|\\\\(?![\\nrtu"'`])){1,400}/y
const QUOTE = /\\{0,3}["']/y

/** A redirection is no word, except for the text that a shell passes on. */
const REDIRECTION = /<<<|\d?>{1,2}&?\d?|<(?![/\w])/y

/**
 * Returns the words behind the name of a command, up to the end of the command: a line end, a sign of a shell, or the
 * quote, backtick or tag in which the command stands.
 * @param at where the name begins
 * @param from where it ends
 */
export function wordsOfCommand(text: string, at: number, from: number): Span[] {
  const closer = quoteAround(text, at)
  const name = text.slice(at, from)
  const words: Span[] = []
  const to = from + COMMAND_CHARACTERS
  for (let next = from; words.length < COMMAND_WORDS && next < to;) {
    const start = endAt(BLANKS, text, next)
    if (start === undefined) break
    const end = endAt(REDIRECTION, text, start) ?? endOfWord(text, start, closer)
    // The name again begins another command, which is read on its own: each of many is read once.
    if (end === start || (end - start === from - at && text.startsWith(name, start))) break
    words.push({ start, end })
    next = end
  }
  return words
}

/** Returns where a word ends; the same place if none begins there. */
function endOfWord(text: string, start: number, closer: string): number {
  for (let at = start; ;) {
    at = endOfRun(PART, text, at)
    const quote = matchAt(QUOTE, text, at)?.[0]
    if (quote === undefined || (closer.endsWith(quote.slice(-1)) && quote.length <= closer.length)) return at
    const end = closeOf(text, at + quote.length, quote)
    // Without a quote that closes, and behind a letter that no option or value needs one for, it ends the command.
    if (
      end === undefined ||
      end > start + COMMAND_CHARACTERS ||
      (at > start && closer === '' && isClosing(text, at, start))
    )
      return at
    at = end + quote.length
  }
}

/** Returns whether a quote behind a word ends the text in which the command stands: `-p'x'` has a quote of its own. */
const isClosing = (text: string, at: number, start: number): boolean =>
  !/[=:,%@]$|^-[A-Za-z]{1,4}$/.test(text.slice(start, at)) &&
  /^\\{0,3}["'](?:[\s,;)\]}]|$)/.test(text.slice(at, at + 6))

/** The quote nearest to a command on its line, if it opens a text. */
const OPENER = /(?:^|[\s([{,=:>|&;])(\\{0,3}["'])(?![\s"'])[^"'\n]{0,120}$/

const quoteAround = (text: string, at: number): string => OPENER.exec(text.slice(Math.max(0, at - 120), at))?.[1] ?? ''
