import { isRandom, shareOfChanges } from './values/secret-values.ts'

/** A part of a text that is a secret. */
export interface Secret {
  start: number
  end: number
  /** Stands in the replacement: `[redacted:KIND]`. */
  kind: string
  /** What it reads as, where the text has signs or escapes in it. */
  value?: string
}

/** How one kind of secret is found. */
export interface Rule {
  /** Literal texts, one of which stands in or beside every secret. They are searched first, since that is fast. */
  hints: readonly string[]
  /** Whether hints count in any case of their letters. */
  isAnyCase: boolean
  /**
   * Returns the secrets at a place where a hint begins. The time depends only on what it replaces, or is limited.
   * @param from where the search of this rule may look back to: the end of what it has searched or replaced before
   */
  find: (text: string, at: number, from: number) => readonly Secret[]
}

/** A rule as a pattern. */
interface PatternRule {
  kind: string
  hints: readonly string[]
  /**
   * Tried where a hint begins. The secret is the group `secret`, or the whole match. Every quantifier has an upper limit: V8
   * keeps a stack for each repetition, and throws a RangeError after some million.
   */
  pattern: string
  /** Whether the hints and the pattern match in any case of letters. */
  isAnyCase?: boolean
  /** Matches the text before the hint, at its end. Where it has no group `secret`, it belongs to the secret. */
  before?: RegExp
  /** Decides about what the pattern has matched. */
  accepts?: (secret: string, match: RegExpExecArray) => boolean
  /** Where the form is documented. */
  source: string
}

/** How much of a secret decides whether it is one. */
const JUDGED_CHARACTERS = 120

/** How much of the text before a hint a rule can see. */
const BEFORE_CHARACTERS = 300

/** Returns a rule for secrets that are recognizable by the text around them. */
export function placeRule({ kind, hints, pattern: source, isAnyCase = false, before, accepts }: PatternRule): Rule {
  const pattern = new RegExp(source, isAnyCase ? 'diy' : 'dy')
  const find = (text: string, at: number): Secret[] => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) return []
    const [start, end] = match.indices?.groups?.['secret'] ?? [at, pattern.lastIndex]
    const secret = text.slice(start, Math.min(end, start + JUDGED_CHARACTERS))
    if (before !== undefined && !before.test(text.slice(Math.max(0, at - BEFORE_CHARACTERS), at))) return []
    if (accepts !== undefined && !accepts(secret, match)) return []
    return [{ start, end: endOfSecret(text, end, BASE64_RUN), kind }]
  }
  return { hints, isAnyCase, find }
}

/** Returns a rule for tokens that are recognizable by their form. A token does not begin inside a word. */
export function tokenRule({ kind, hints, pattern: source, before }: PatternRule): Rule {
  const pattern = new RegExp(source, 'y')
  // Shorter ones begin in many words: `does`.
  const isDistinct = hints.every(({ length }) => length >= 3)
  const find = (text: string, at: number): Secret[] => {
    const isStart = isTokenStart(text, at)
    if (before === undefined && !isStart && !(isDistinct && canBeGlued(text, at))) return []
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (
      match === null ||
      (before === undefined && !isStart && !isCertainGlued(match[0])) ||
      MASKED.test(match[0].slice(0, 200))
    )
      return []
    const head = before?.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? ''
    const start = at - head.length
    if (before !== undefined && (head === '' || !(isTokenStart(text, start) || isNumber(head)))) return []
    return [{ start, end: endOfSecret(text, at + match[0].length, TOKEN_RUN), kind }]
  }
  return { hints, isAnyCase: false, find }
}

/** A number at the beginning of a token ends the word before it: `prod_123456789:AA...`. */
const isNumber = (head: string): boolean => /^\d{8,}$/.test(head)

/** Prefixes that names of keys and Base64 have too, before what looks random: `cache-key-`, `task-`. */
const NEVER_GLUED =
  /^(?:key-|cio|sl\.|c[sk]_|fw_|fc-|sdk-|sk_(?!live|test|prod)|sq[apu]_|y0_|rnd_|aio_|AAAA|SK|sk-(?!ant-|proj-|svcacct-|admin-|or-v1-|None-|[A-Za-z0-9]{20}T3BlbkFJ)|EA(?!ACEdEose0cBA)|A3-|sm_|oy2|p8e-|cmVmd|GR|LTAI|ZX)/

/** Prefixes that words end with too: what follows must look random. */
const COMMON =
  /^(?:api[-_]|pat|ico-|access-|do[opr]_|re_|secret_|tk-|dp\.|SG\.|shp|lin_|hv[sbr]\.|fo1|fio|s-s4|dapi|EA|sk-)/i

/** Returns whether a token may begin behind a letter, `-` or `_`: `mcp_ghp_...`. Not in Base64. */
function canBeGlued(text: string, at: number): boolean {
  const head = text.slice(Math.max(0, at - GLUED_CHARACTERS), at)
  // In a run of them, each would be read to the end of the run.
  if (NEVER_GLUED.test(text.slice(at, at + 36)) || head.includes(text.slice(at, at + 3))) return false
  return /[-_]$/.test(head) || (!/[A-Za-z0-9+/]{24}$/.test(head) && !text.startsWith('eyJ', at))
}

const GLUED_CHARACTERS = 64

/** The words and marks with which a token begins. */
const TOKEN_HEAD = /^(?:dapi|(?:[A-Za-z]{1,12}\d?[-_.]){1,3})/

/** The share of changes in random letters that names in camel case do not have. */
const GLUED_LETTERS_SHARE = 0.22

/** A token inside a word has letters and digits, or looks random. */
function isCertainGlued(token: string): boolean {
  if (token.length < 20) return false
  const body = token.replace(TOKEN_HEAD, '')
  if (isRandom(token) || isRandom(body)) return true
  if (!/[A-Za-z0-9]{10}/.test(token)) return false
  if (/^[A-Za-z]{20,}$/.test(body)) return shareOfChanges(body) >= GLUED_LETTERS_SHARE
  return !COMMON.test(token) && /\d/.test(body) && /[A-Za-z]/.test(body)
}

/** Tokens in documentation. */
const MASKED = /x{6}|X{6}|your[-_]|[-_]here$/

const IN_WORD = /[A-Za-z0-9_-]/

/** What ends in a letter, a digit or a hyphen, and is not part of a word: escapes, colours, percent codes, diff marks. */
const ESCAPE_BEFORE =
  /(?:\\[abefnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\[[\d;]{0,12}m|%[0-9A-Fa-f]{2}|(?:^|\n|\\n)[-+]|→-)$/

/** Returns whether a token may begin here: `task-1` is not a token that begins with `sk-`, `\nsk-1` is. */
export function isTokenStart(text: string, at: number): boolean {
  const last = text.charAt(at - 1)
  if (!IN_WORD.test(last)) return true
  // A pattern for each word would take longer than all else.
  const mayBeEscape =
    last === 'm' ||
    last === '-' ||
    text.charAt(at - 3) === '%' ||
    [at - 2, at - 4, at - 6].some((place) => text.charAt(place) === '\\')
  return mayBeEscape && ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 16), at))
}

const TOKEN_RUN = /[A-Za-z0-9_-]{1,10000}/y
export const BASE64_RUN = /[A-Za-z0-9+/=_-]{1,10000}/y

/** Patterns with a limit may end inside a secret that is longer: all of it is replaced. */
const endOfSecret = (text: string, end: number, run: RegExp): number =>
  IN_WORD.test(text.charAt(end - 1)) ? endOf(run, text, end) : end

/** Returns the end of a sticky pattern that is repeated from here on; the same place if it does not match. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  let end = at
  for (pattern.lastIndex = end; pattern.test(text); pattern.lastIndex = end) end = pattern.lastIndex
  return end
}
