import { BLANK, closeOf, endAt, endOf, matchAt, QUOTE, type Span } from '../scan.ts'
import { ASSIGNED_RULE } from '../names/assigned-secrets.ts'
import { SECRET_COMMANDS } from './command-forms.ts'
import { COMMAND_RULES } from './command-rules.ts'
import { createFinder, type Rule, type Secret } from '../rule.ts'

/** Commands that take secrets only in options named after them. */
const OTHERS = ['redis-server', 'valkey-server', 'npm', 'yarn', 'wrangler', '"git"', "'git'"]

/** In a list, a name stands in quotes, or alone on a line of YAML. Short ones stand in many words. */
const HINTS = SECRET_COMMANDS.flatMap(({ name, isPrefix }) =>
  isPrefix || (name.length >= 4 && !name.startsWith('http')) ? [name] : [`${name}"`, `${name}'`],
)

/** The rest of a command, and the quote behind it; in a list of YAML there may be none. */
const REST_OF_COMMAND = /["']?[\w.-]{2,40}(?:\\{0,3}["']|(?=\r?\n|\\{1,4}n))/y

/** The text before a command: its folder, and the beginning of its word. */
const BEFORE_COMMAND = /(?:["']|(?:^|\n|\\n)[ \t]{0,40}-[ \t]{1,3}|: )[\w./:\\-]{0,80}$/

/** The beginning of a list in JavaScript, Rust, Go, Java and C#. */
const LIST = String.raw`(?:(?:&|vec!|new |string|List\.of|Arrays\.asList|\[\]){0,3}[[({]${BLANK}{0,40})?`

/**
 * The text before a word of a list: a comma, a call (`.arg("x")`), or in YAML a hyphen. A number may stand before it.
 */
const BEFORE_WORD = new RegExp(
  String.raw`${BLANK}{0,40}(?:(?:,${BLANK}{0,40}(?:[\d.]{1,20},${BLANK}{0,40})?|[\])]{0,2}${BLANK}{0,40}\.(?:args?|Arguments)\(${BLANK}{0,40})${LIST}(?<quote>${QUOTE})|-[ \t]{1,3}(?:(?<quoted>${QUOTE})|(?=[^\s"'\\])))`,
  'y',
)
const FIRST_WORD = new RegExp(String.raw`\[${BLANK}{0,40}(?<quote>${QUOTE})`, 'y')
const BARE_WORD = /[^\s"'\\,[\]{}]{1,400}/y

/** The keys of a command, and of the list of its arguments. */
const COMMAND_KEY =
  /(?:cmd|command|program|executable|exec|entrypoint|image)\\{0,3}["']?\s{0,3}[=:]\s{0,3}\[?(?:\s|\\{1,4}n){0,20}\\{0,3}["']?[\w./:\\-]{0,80}$/i
const WORDS_KEY = /(?<![\w-])(?:args|argv|arguments|params|command)\\{0,3}["']?\s{0,3}[=:]\s{0,3}(?:\r?\n|\\{1,4}n)?/gi

/** How far a list is from its command, at most; and what is read of it. */
const DISTANCE = 300
const LIST_WORDS = 40
const LIST_CHARACTERS = 1_000

interface Word extends Span {
  /** Where the text goes on behind its quote. */
  next: number
  /** The word is a whole line: `"args": "-u root -px"`. */
  isLine?: boolean
}

const findInLine = createFinder([...COMMAND_RULES, ASSIGNED_RULE])

/**
 * The arguments of a command that are a list: `["mysql", "-px"]`, `{"args": ["-p", "x"], "command": "mysql"}`. They are
 * written as a command line, so that the same rules decide as for other texts.
 */
export const WORDS_RULE: Rule = {
  hints: [...HINTS, ...OTHERS],
  isAnyCase: false,
  find(text, at) {
    const next = endAt(REST_OF_COMMAND, text, at)
    if (next === undefined) return []
    const start = /["']/.test(text.charAt(at)) ? at + 1 : at
    const head = text.slice(Math.max(0, start - DISTANCE), start)
    if (!BEFORE_COMMAND.test(head.slice(-100))) return []
    const end = next - (/\\{0,3}["']$/.exec(text.slice(start, next))?.[0].length ?? 0)
    const words = readWords(text, next)
    const others = COMMAND_KEY.test(head)
      ? [...wordsAfter(text, words.at(-1)?.next ?? next), ...wordsBefore(text, start)]
      : []
    return secretsOf(text, [{ start, end, next }, ...words, ...others])
  },
}

/** Returns the words of the arguments that follow in the same object. */
function wordsAfter(text: string, from: number): Word[] {
  const part = text.slice(from, from + DISTANCE)
  const [key] = part.matchAll(WORDS_KEY)
  if (key === undefined || !isSameObject(part.slice(0, key.index))) return []
  return readList(text, from + key.index + key[0].length)
}

/** Returns the words of the arguments that stand before a command in the same object. */
function wordsBefore(text: string, to: number): Word[] {
  const from = Math.max(0, to - 2 * DISTANCE)
  const key = Array.from(text.slice(from, to).matchAll(WORDS_KEY)).findLast(
    ({ 0: { length }, index }) => from + index + length < to - 8,
  )
  if (key === undefined) return []
  const words = readList(text, from + key.index + key[0].length)
  const end = words.at(-1)?.next ?? to
  return end < to && isSameObject(text.slice(end, to)) ? words : []
}

/** Returns whether no object ends or is left open in a text. */
function isSameObject(text: string): boolean {
  let depth = 0
  for (const [brace] of text.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

/** Returns the words of the list, or of the line, that begins at a place. */
function readList(text: string, at: number): Word[] {
  const list = matchAt(FIRST_WORD, text, at)
  if (list !== undefined) {
    const first = wordAt(text, endOf(list), list.groups?.['quote'])
    return first === undefined ? [] : [first, ...readWords(text, first.next)]
  }
  const quote = OPENING.exec(text.slice(at, at + 4))?.[0]
  const line = quote === undefined ? undefined : wordAt(text, at + quote.length, quote)
  return line === undefined ? readWords(text, at) : [{ ...line, isLine: true }]
}

const OPENING = /^\\{0,3}["']/

/** Returns the words of a list that follow each other from a place on. */
function readWords(text: string, from: number): Word[] {
  const words: Word[] = []
  for (let at = from; words.length < LIST_WORDS && at - from < LIST_CHARACTERS;) {
    const match = matchAt(BEFORE_WORD, text, at)
    if (match === undefined) break
    const word = wordAt(text, endOf(match), match.groups?.['quote'] ?? match.groups?.['quoted'])
    // The key of the next member is not a word of the list.
    if (word === undefined || /^\s{0,3}:/.test(text.slice(word.next, word.next + 4))) break
    words.push(word)
    at = word.next
  }
  return words
}

function wordAt(text: string, start: number, quote = ''): Word | undefined {
  const end = quote === '' ? endAt(BARE_WORD, text, start) : closeOf(text, start, quote)
  return end === undefined ? undefined : { start, end, next: end + quote.length }
}

/** A client of MySQL, whose password follows its option at once: `-p x` is meant so in a list. */
const MYSQL = /(?:mysql|mariadb)[\w-]*(?:\.exe)?$/
const NAME_OF_DATABASE = /^[a-z_]{1,30}$/

/** Returns the secrets among the words of a command line. */
function secretsOf(text: string, words: readonly Word[]): Secret[] {
  let line = ''
  const places: (Word & { at: number })[] = []
  let before = ''
  let isMysql = false
  for (const { start, end, ...word } of words) {
    const raw = text.slice(start, end)
    const isGlued = before === '-p' && isMysql && !NAME_OF_DATABASE.test(raw)
    // `Start("curl", "-u joe:x")`: all arguments are one text.
    const isLine = word.isLine === true || (places.length === 1 && /^-\S{1,40}\s/.test(raw))
    const isQuoted = !isLine && /[\s"'\\]/.test(raw)
    line += (isGlued || line === '' ? '' : ' ') + (isQuoted ? '"' : '')
    places.push({ start, end, ...word, at: line.length })
    line += raw + (isQuoted ? '"' : '')
    before = raw
    isMysql ||= MYSQL.test(raw)
  }
  return findInLine(line).flatMap(({ start, end, kind }) => {
    const place = places.findLast(({ at }) => at <= start)
    const from = place === undefined ? 0 : place.start + start - place.at
    if (place === undefined || from >= place.end) return []
    return [{ start: from, end: endInWord(text, { from: from + end - start, to: place.end }), kind }]
  })
}

/** Returns where a secret ends: with its word, unless other words follow in it. */
const endInWord = (text: string, { from, to }: { from: number; to: number }): number =>
  from >= to || !/\s/.test(text.slice(from, to)) ? to : from
