import { ASSIGNED, NAME_END, closerOf } from './assignment-forms.ts'
import { changedValue, linesOfBlock } from './assigned-values.ts'
import { closeOf } from './quoted-text.ts'
import { endOf, type Rule, type Secret } from './rule.ts'
import { kindOfValue, type Assignment } from './secret-names.ts'

/** No mark of an assignment begins with these: most names need no further look. */
const NO_MARKS = '.;)}+-/@#$^~!&'

/** Many words have `pin` in them: mapping, typing. */
const PIN_HINTS = ['pin=', 'pin:', 'pin"', "pin'", 'pin\\', 'pin ', 'pin-v', 'pin_v', 'pinv']

/**
 * Secrets that are recognizable by the name to which they are assigned: in code, JSON, YAML, XML, environment files,
 * options of commands and addresses.
 */
export const ASSIGNED_RULE: Rule = {
  hints: ['pass', 'pwd', 'psk', 'secret', 'token', 'credential', 'key', ...PIN_HINTS],
  isAnyCase: true,
  find(text, at) {
    NAME_END.lastIndex = at
    if (!NAME_END.test(text) || NO_MARKS.includes(text.charAt(NAME_END.lastIndex))) return []
    ASSIGNED.lastIndex = NAME_END.lastIndex
    const match = ASSIGNED.exec(text)
    if (match === null) return []
    const { quote = '', open = '' } = match.groups ?? {}
    const valueStart = ASSIGNED.lastIndex
    const assignment = describe(text, { at, nameEnd: match.index, match })
    if (assignment === undefined) return []
    if (isClosing(text, { valueStart, quote, match })) return []
    if (match.groups?.['block'] !== undefined) return secretBlock(text, valueStart, assignment)
    const end = open === '' ? closeOf(text, valueStart, quote) : closerOf(text, valueStart, open)
    const close = end < 0 ? undefined : end
    const secrets =
      close === undefined
        ? secretWord(text, valueStart, assignment)
        : secretText(text, { start: valueStart, end: close }, assignment)
    const changed = changedValue(text, close ?? valueStart)
    return changed === undefined
      ? secrets
      : [...secrets, ...secretText(text, changed, { ...assignment, isQuoted: true })]
  },
}

interface Span {
  start: number
  end: number
}

function secretText(text: string, { start, end }: Span, assignment: Assignment): Secret[] {
  const kind = kindOfValue(text.slice(start, end), assignment)
  return kind === undefined ? [] : [{ start, end, kind }]
}

/** A value without quotes. Shells end it at a blank; elsewhere commas and semicolons end it too. */
function secretWord(text: string, start: number, assignment: Assignment): Secret[] {
  const pattern = assignment.isShell ? UNQUOTED_IN_SHELL : UNQUOTED
  pattern.lastIndex = start
  const value = pattern.exec(text)?.[0] ?? ''
  const isSetting =
    assignment.isSetting && /^(?:\r?\n|\\{1,4}n|\s*$)/.test(text.slice(pattern.lastIndex, pattern.lastIndex + 8))
  const kind = kindOfValue(trimValue(value), { ...assignment, isSetting })
  return kind === undefined ? [] : [{ start, end: endOfValue(text, start, pattern), kind }]
}

/** All lines of a block of YAML: the first one decides. */
function secretBlock(text: string, at: number, assignment: Assignment): Secret[] {
  const [first, ...others] = linesOfBlock(text, at)
  if (first === undefined) return []
  const secrets = secretWord(text, first.start, assignment)
  return secrets.flatMap(({ kind }) => [first, ...others].map((line) => ({ ...line, kind })))
}

/** Before the name of a value that follows a blank: an option, `setx`, or `ENV` of Docker. */
const BEFORE_GAP =
  /(?:(?:^|[\s"'`])--?[\w.-]{0,60}|(?:^|[\s"'`])(?:setx|ENV|SetEnv|set -\w{1,4}|config(?:ure)? set(?: --?[\w-]{1,20}){0,2}|git config(?: --?\w{1,20}){0,3}|proxy_set_header|RequestHeader set|p?npm set|user-secrets set|#define) [\w./:@"'\\-]{0,80})$/

/** The same in `.netrc`: `machine example.com login joe password x`, on one line or on several. */
const BEFORE_NETRC_GAP =
  /(?:\b(?:default|machine\s{1,3}\S{1,80})(?:\s|\\{1,4}n){1,10}|(?:^|\n|\\n)\s{0,10}(?:\d{1,6}(?:→|\t))?)(?:login|account)\s{1,3}[^\s\\]{1,60}(?:\s|\\{1,4}n){1,10}(?:\d{1,6}(?:→|\t))?$/

/** The same of SQL and Clojure, where the value is quoted: `ALTER ROLE app PASSWORD 'x'`, `{:password "x"}`. */
const BEFORE_QUOTED_GAP =
  /\b(?:user|role|with|encrypted)\s(?:["']?[\w@%.]{1,40}["']?\s)?(?:with\s)?$|[\s{(,]:[\w./-]{0,40}$/i

/** Before the name in an element: `<entry key="`. */
const BEFORE_ATTRIBUTE = /<[\w:.-]{1,40}\s[^<>\n]{0,40}\b(?:key|name|id|property)=\\{0,3}["'][\w.:-]{0,60}$/

/** The first word of a name with a blank: `API Key`. */
const FIRST_WORD = /\b(?:api|access|secret|private|auth|signing|encryption|master|service|license)\s$/i

/** Returns whether the quote behind a name closes a label: `"Password:",u?f():"..."`. */
function isClosing(
  text: string,
  { valueStart, quote, match }: { valueStart: number; quote: string; match: RegExpExecArray },
): boolean {
  const { mark = '' } = match.groups ?? {}
  return quote !== '' && /^:$/.test(mark) && /[,;)]/.test(text.charAt(valueStart))
}

/** Describes a name and how its value is assigned; undefined where a blank follows a name in prose. */
function describe(
  text: string,
  { at, nameEnd, match }: { at: number; nameEnd: number; match: RegExpExecArray },
): Assignment | undefined {
  const { pair, mark = '', gap, quote = '', open = '', xml } = match.groups ?? {}
  const nameStart = startOfName(text, at)
  const line = text.slice(Math.max(0, nameStart - 80), nameStart)
  const head = line + text.slice(nameStart, at)
  const { call, list, attribute } = match.groups ?? {}
  const isParameter = gap !== undefined && /(?:^|\s)-[A-Za-z]{0,40}$/.test(head) && /[A-Z]/.test(text.charAt(nameStart))
  const isOption = isParameter || ((gap ?? call) !== undefined && BEFORE_GAP.test(head))
  if (gap !== undefined && !isOption && !BEFORE_NETRC_GAP.test(head) && !(quote !== '' && BEFORE_QUOTED_GAP.test(head)))
    return undefined
  if (attribute !== undefined && !BEFORE_ATTRIBUTE.test(head)) return undefined
  if (/\barn:[\w:./-]{0,70}$/.test(line)) return undefined
  if (/\[redacted:[a-z-]{0,20}$/.test(head)) return undefined
  const isXml = xml !== undefined
  if (isXml && !/<[\w:.-]{0,60}$/.test(head)) return undefined
  const name = (FIRST_WORD.exec(line)?.[0] ?? '') + text.slice(nameStart, nameEnd)
  const isCapitals = /^[A-Z][A-Z0-9_]*$/.test(name)
  return {
    name,
    isQuoted: quote + open !== '',
    isOption,
    isShell: isCapitals && (mark === '=' || pair !== undefined) && !quote.endsWith('`'),
    isLiteral: isXml || (mark === '=' && (/;\s?$/.test(line) || name === '_password' || isProperty(name))),
    isSetting:
      /(?:^|\n|\\n|→|\|)[ \t+-]{0,20}$/.test(line) &&
      (mark === '=' || (isCapitals && name.includes('_') && /^:\s/.test(mark))),
    isTight: /^[=:]\s?$/.test(mark),
    isCall: !isOption && (call ?? list) !== undefined,
  }
}

/** The name of a property of a configuration, not of a program: `spring.datasource.password`. */
const isProperty = (name: string): boolean => /^(?!this|self|req)[a-z][\w-]*\.[\w-]+\.[\w.-]+$/.test(name)

/** A colour that ends in the beginning of a name. */
const COLOUR_BEFORE = /^.{0,11}?(?:\u001b|\\(?:u001b|x1b|e|033))\[[\d;]{0,8}m/

const IN_NAME = /[A-Za-z0-9_.-]/

/** Returns where the name begins that ends with a word. A letter of an escape is not part of it. */
function startOfName(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 60 && IN_NAME.test(text.charAt(start - 1))) start -= 1
  if (start < at && text.charAt(start - 1) === '\\' && /[nrtbfv]/.test(text.charAt(start))) start += 1
  // The last letter of a colour is not part of it either.
  const colour = COLOUR_BEFORE.exec(text.slice(Math.max(0, start - 12), start + 4))
  if (colour !== null) start = Math.min(at, Math.max(0, start - 12) + colour[0].length)
  while (start < at && '-.'.includes(text.charAt(start))) start += 1
  return start
}

const UNQUOTED = /(?:[^\s"'`,;<>|\\\u001b&%]|\\(?![nrtu"'`\\])|%(?!26)|&(?![\w.-]{1,40}=)){1,120}/y
const UNQUOTED_IN_SHELL =
  /(?:[^\s"'`,;<>|\\\u001b&%]|\\(?![nrtu"'`\\])|%(?!26)|&(?![\w.-]{1,40}=)|[,;](?=[^\s"'`,;<>|&\\])){1,120}/y

/** The beginning decides whether a value is secret; if so, all of it is. */
const endOfValue = (text: string, start: number, pattern: RegExp): number =>
  start + trimValue(text.slice(start, endOf(pattern, text, start))).length

/** Brackets and dots after a value belong to the text around it. */
function trimValue(value: string): string {
  let end = value.length
  while (end > 0 && ')]}.\\'.includes(value.charAt(end - 1))) end -= 1
  return value.slice(0, end)
}
