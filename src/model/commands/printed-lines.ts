import { headAndTail, shorten } from '../../text/shorten.ts'
import { withoutEcho, type SentText } from '../openai/echo.ts'

/** Of what a command has printed, so many lines are shown: its first ones, and its last ones, where some programs say what failed. */
const FIRST_LINES = 3
const LAST_LINES = 2
const MAX_LINE_CHARACTERS = 200

/** So much of its beginning and of its end is read. */
const MAX_READ_CHARACTERS = 4096

/** A shorter line is in many prompts. */
const MIN_ECHO_CHARACTERS = 8

/** Colours, and other commands to a terminal (ECMA-48, 5.4). */
const TERMINAL_COMMANDS = /\u001b\[[\d;?]{0,20}[A-Za-z]/g

/** Returns the lines that a command has printed, without those that it repeats of its prompt; empty if it repeats more than it says. */
export function ownLines(printed: string, sent: SentText): string {
  const lines = headAndTail(printed, MAX_READ_CHARACTERS, MAX_READ_CHARACTERS)
    .replace(TERMINAL_COMMANDS, '')
    .split(/\r?\n|\r/)
    .map((line) => withoutEcho(line, sent).trim())
    .filter((line) => line !== '')
  const own = lines.filter((line) => line.length < MIN_ECHO_CHARACTERS || !sent.includes(line))
  return own.length * 2 < lines.length ? '' : own.join('\n')
}

/** Returns the lines that are shown of it. Secrets are replaced before: a line may be cut within one. */
export function shownLines(text: string): string[] {
  const lines = text === '' ? [] : text.split('\n').map((line) => shorten(line, MAX_LINE_CHARACTERS))
  return lines.length <= FIRST_LINES + LAST_LINES
    ? lines
    : [...lines.slice(0, FIRST_LINES), '...', ...lines.slice(-LAST_LINES)]
}
