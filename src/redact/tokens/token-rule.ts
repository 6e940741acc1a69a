import type { Rule, Secret } from '../rule.ts'
import { endAt, endOf, endOfRun, endOfSecret, isTokenStart, matchAt } from '../scan.ts'
import { isMixed, isRandom, shareOfChanges } from '../values/secret-values.ts'

/** A token by its form. */
interface Form {
  kind: string
  /** One of these begins the token, or stands in it behind what `before` matches. */
  hints: readonly string[]
  pattern: string
  before?: RegExp
}

/** Returns a rule for tokens that are recognizable by their form. A token does not begin inside a word. */
export function tokenRule({ kind, hints, pattern: source, before }: Form): Rule {
  const pattern = new RegExp(source, 'y')
  // Shorter ones begin in many words: `does`.
  const isDistinct = hints.every(({ length }) => length >= 3)
  const startOf = (text: string, at: number, token: string): number | undefined => {
    if (before === undefined) return isTokenStart(text, at) || isCertainGlued(token) ? at : undefined
    const head = before.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? ''
    const start = at - head.length
    // A number at the beginning of a token ends the word before it: `prod_123456789:AA...`.
    const isStart = isTokenStart(text, start) || /[-_]/.test(text.charAt(start - 1)) || /^\d{8,}$/.test(head)
    return head !== '' && isStart ? start : undefined
  }
  const find: Rule['find'] = (text, at) => {
    if (before === undefined && !isTokenStart(text, at) && !(isDistinct && canBeGlued(text, at))) return []
    const match = matchAt(pattern, text, at)
    if (match === undefined || MASKED.test(match[0].slice(0, 200))) return []
    const start = startOf(text, at, match[0])
    if (start === undefined) return []
    const end = endOfSecret(text, endOf(match), TOKEN_RUN)
    return [{ start, end, kind }, ...joinedParts(text, end, kind)]
  }
  return { hints, isAnyCase: false, find }
}

/** Between two parts of a text that a program joins: `"a" + "b"`, also on two lines. */
const JOINT = /(?<quote>["'])\s{0,3}(?:\+|\.{1,2})?\s{0,80}\k<quote>(?=[\w.-]{8,10000}\k<quote>)/y

/** Returns the parts of a token behind the first one. */
function joinedParts(text: string, from: number, kind: string): Secret[] {
  const parts: Secret[] = []
  for (let start = endAt(JOINT, text, from); start !== undefined; start = endAt(JOINT, text, parts.at(-1)?.end ?? 0)) {
    const end = endOfRun(JOINED, text, start)
    if (!isMixed(text.slice(start, end))) break
    parts.push({ start, end, kind })
  }
  return parts
}

const JOINED = /[\w.-]{1,10000}/y

const TOKEN_RUN = /[A-Za-z0-9_-]{1,10000}/y

/** Tokens in documentation. */
const MASKED = /x{6}|X{6}|your[-_]|[-_]here$/

/** The unit before a prefix, and one that names of keys and Base64 have too, before what looks random: `cache-key-`, `task-`. */
const NEVER_GLUED =
  /^(?:[aeiou]sk-(?!ant-|lf-|proj-|svcacct-|admin-|or-v1-|None-|[A-Za-z0-9]{20}T3BlbkFJ)|[^](?:key-|sl\.|c[sk]_|fw_|sdk-|sk_(?!live|test|prod)|sq[apu]_(?![0-9a-f]{24})|y0_|rnd_|AAAA(?!A{17}[A-Za-z0-9]{0,60}%)|SK|EA(?!ACEdEose0cBA)|A3-|sm_|oy2|p8e-|cmVmd|GR|ZX)|[A-Za-z0-9](?:cio|LTAI))/

/** Prefixes that words end with too: what follows must look random. */
const COMMON =
  /^(?:api[-_]|pat|ico-|access-|do[opr]_|re_|secret_|tk-|dp\.|SG\.|shp|lin_|hv[sbr]\.|fo1|fio|s-s4|dapi|EA|sk-(?!lf-))/i

const GLUED_CHARACTERS = 64

/** Returns whether a token may begin behind a letter, `-` or `_`: `mcp_ghp_...`. Not in Base64. */
function canBeGlued(text: string, at: number): boolean {
  const head = text.slice(Math.max(0, at - GLUED_CHARACTERS), at)
  // In a run of them, each would be read to the end of the run.
  if (NEVER_GLUED.test(text.slice(at - 1, at + 90)) || head.includes(text.slice(at, at + 3))) return false
  return /[-_]$/.test(head) || (!/[A-Za-z0-9+/]{24}$/.test(head) && !text.startsWith('eyJ', at))
}

/** The words and marks with which a token begins. */
const TOKEN_HEAD = /^(?:dapi|(?:[A-Za-z]{1,12}\d?[-_.]){1,3})/

/** The share of changes in random letters that names in camel case do not have. */
const GLUED_LETTERS_SHARE = 0.22

/** No word is so many digits of hexadecimal. */
const DIGITS = /^[0-9a-f]{32,64}(?:-\d)?$/

/** A token inside a word has letters and digits, or looks random. */
function isCertainGlued(token: string): boolean {
  if (token.length < 20) return false
  const body = token.replace(TOKEN_HEAD, '')
  if (DIGITS.test(body)) return true
  if (isRandom(token) || isRandom(body)) return true
  if (!/[A-Za-z0-9]{10}/.test(token)) return false
  if (/^[A-Za-z]{20,}$/.test(body)) return shareOfChanges(body) >= GLUED_LETTERS_SHARE
  return !COMMON.test(token) && /\d/.test(body) && /[A-Za-z]/.test(body)
}
