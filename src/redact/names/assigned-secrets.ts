import { describe } from './assignment-places.ts'
import { ASSIGNED, NAME_END, closerOf } from './assignment-forms.ts'
import { changedValue, linesOfBlock } from './assigned-values.ts'
import { closeOf } from '../quoted-text.ts'
import { endOf, type Rule, type Secret } from '../rule.ts'
import { kindOfLine, kindOfValue, type KeyValue } from './secret-names.ts'

/** No mark of an assignment begins with these: most names need no further look. */
const NO_MARKS = '.;)}+-/@#$^~!'

/** Many words have `pin` and `pw` in them: mapping, typing. */
const PIN_HINTS = ['pw', 'pin'].flatMap((name) => ['=', ':', '"', "'", '\\', ' '].map((sign) => name + sign))

/**
 * Secrets that are recognizable by the name to which they are assigned: in code, JSON, YAML, XML, environment files,
 * options of commands and addresses.
 */
export const ASSIGNED_RULE: Rule = {
  hints: ['pass', 'pwd', 'psk', 'secret', 'token', 'credential', 'key', ...PIN_HINTS, 'pin-v', 'pin_v', 'pinv'],
  isAnyCase: true,
  find(text, at) {
    NAME_END.lastIndex = at
    const variant = NAME_END.exec(text)?.groups?.['variant'] ?? ''
    if (NAME_END.lastIndex === 0 || NO_MARKS.includes(text.charAt(NAME_END.lastIndex))) return []
    ASSIGNED.lastIndex = NAME_END.lastIndex
    const match = ASSIGNED.exec(text)
    if (match === null) return []
    const { quote = '', open = '' } = match.groups ?? {}
    const valueStart = ASSIGNED.lastIndex
    const assignment = describe(text, { at, nameEnd: match.index - variant.length, match })
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

function secretText(text: string, { start, end }: Span, assignment: KeyValue): Secret[] {
  const kind = kindOfValue(text.slice(start, end), assignment)
  return kind === undefined ? [] : [{ start, end, kind }]
}

/** A value without quotes. Shells end it at a blank; elsewhere commas and semicolons end it too. */
function secretWord(text: string, start: number, assignment: KeyValue): Secret[] {
  const whole = assignment.isLine ? wholeLine(text, start) : ''
  const kindOfWhole = whole === '' ? undefined : kindOfLine(whole, assignment)
  if (kindOfWhole !== undefined) return [{ start, end: start + whole.length, kind: kindOfWhole }]
  const pattern = assignment.isShell ? UNQUOTED_IN_SHELL : UNQUOTED
  pattern.lastIndex = start
  const value = pattern.exec(text)?.[0] ?? ''
  const isSetting =
    assignment.isSetting && /^(?:\r?\n|\\{1,4}n|\s*$)/.test(text.slice(pattern.lastIndex, pattern.lastIndex + 8))
  const kind = kindOfValue(trimValue(value), { ...assignment, isSetting })
  return kind === undefined ? [] : [{ start, end: endOfValue(text, start, pattern), kind }]
}

/** Returns a value without blanks that ends its line, and has a sign in it that ends other values. */
function wholeLine(text: string, start: number): string {
  WHOLE_LINE.lastIndex = start
  const value = WHOLE_LINE.exec(text)?.[0] ?? ''
  return /[,;<>|([&%]|^[+=@]/.test(value) ? value : ''
}

const WHOLE_LINE =
  /(?![({[`]|[&*!<$%]\w{0,40}(?:[\s({<:>%]|$))[^\s"'`\\]{12,200}(?=[ \t]{0,20}(?:\r?\n|\\{1,4}[rn]|$))/y

/** All lines of a block of YAML: the first one decides. */
function secretBlock(text: string, at: number, assignment: KeyValue): Secret[] {
  const [first, ...others] = linesOfBlock(text, at)
  if (first === undefined) return []
  const secrets = secretWord(text, first.start, assignment)
  return secrets.flatMap(({ kind }) => [first, ...others].map((line) => ({ ...line, kind })))
}

/** Returns whether the quote behind a name closes a label: `"Password:",u?f():"..."`. */
function isClosing(
  text: string,
  { valueStart, quote, match }: { valueStart: number; quote: string; match: RegExpExecArray },
): boolean {
  const { mark = '' } = match.groups ?? {}
  return quote !== '' && /^:$/.test(mark) && /[,;)]/.test(text.charAt(valueStart))
}

const UNQUOTED = /(?:[^\s"'`,;<>|\\\u001b&]|\\(?![nrtu"'`\\])|&(?![\w.[\]-]{1,40}=)){1,120}/y
const UNQUOTED_IN_SHELL =
  /(?:[^\s"'`,;<>|\\\u001b&]|\\(?![nrtu"'`\\])|&(?![\w.[\]-]{1,40}=)|[,;](?=[^\s"'`,;<>|&\\])){1,120}/y

/** The beginning decides whether a value is secret; if so, all of it is. */
const endOfValue = (text: string, start: number, pattern: RegExp): number =>
  start + trimValue(text.slice(start, endOf(pattern, text, start))).length

/** Brackets and dots after a value belong to the text around it. */
function trimValue(value: string): string {
  let end = value.length
  while (end > 0 && ')]}.\\'.includes(value.charAt(end - 1))) end -= 1
  return value.slice(0, end)
}
