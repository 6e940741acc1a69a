import { closeOf, endOf, endOfRun, matchAt, type Span } from '../scan.ts'
import type { Rule, Secret } from '../rule.ts'
import { ASSIGNED, closerOf, NAME_END } from './assignment-forms.ts'
import { describe, type NamedValue } from './assignment.ts'
import { changedValue, linesOfBlock, nextElements } from './assigned-values.ts'
import { kindOfLine, kindOfValue } from './secret-names.ts'

/** No mark of an assignment begins with these: most names need no further look. */
const NO_MARKS = '.;)}+-/@#$^~!%'

/** Many words have `pin` and `pw` in them: mapping, typing. */
const PIN_HINTS = [
  ...['pw', 'pin'].flatMap((name) => ['=', ':', '"', "'", '\\', ' '].map((sign) => name + sign)),
  ...['pin-v', 'pin_v', 'pinv', 'pin-c', 'pin_c', 'pinc'],
]

/**
 * Secrets that are recognizable by the name to which they are assigned: in code, JSON, YAML, XML, environment files,
 * options of commands and addresses.
 */
export const ASSIGNED_RULE: Rule = {
  hints: ['pass', 'pwd', 'psk', 'secret', 'token', 'credential', 'key', ...PIN_HINTS],
  isAnyCase: true,
  find(text, at) {
    const name = matchAt(NAME_END, text, at)
    if (name === undefined || NO_MARKS.includes(text.charAt(endOf(name)))) return []
    const match = matchAt(ASSIGNED, text, endOf(name))
    if (match === undefined) return []
    const { quote = '', open = '', mark, block } = match.groups ?? {}
    const start = endOf(match)
    if (quote + open === '' && block === undefined && isOtherName(text, start)) return []
    const assignment = describe(text, { at, nameEnd: match.index - (name.groups?.['variant'] ?? '').length, match })
    // The quote behind a name may close a label: `"Password:",u?f():"..."`.
    if (assignment === undefined || (quote !== '' && mark === ':' && /[,;)]/.test(text.charAt(start)))) return []
    // A number in JSON is no text: `"pin": 4096`.
    if (quote + open === '' && /^\\{0,3}["']/.test(mark ?? '') && /^\d+(?![\w.-])/.test(text.slice(start, start + 20)))
      return []
    if (block !== undefined) return secretBlock(text, start, assignment)
    const end = open === '' ? closeOf(text, start, quote) : closerOf(text, start, open)
    const secrets =
      end === undefined ? secretWord(text, start, assignment) : secretText(text, { start, end }, assignment)
    const changed = changedValue(text, end ?? start) ?? []
    const others = end !== undefined && match.groups?.['list'] !== undefined ? nextElements(text, end) : []
    return [
      ...secrets,
      ...[changed, others].flat().flatMap((span) => secretText(text, span, { ...assignment, isQuoted: true })),
    ]
  },
}

/** Returns whether another name stands in the place of a value: that of an empty one, or of a list of names. */
function isOtherName(text: string, start: number): boolean {
  const { length } = matchAt(UNQUOTED, text, start)?.[0] ?? ''
  return length <= NAME_CHARACTERS && /[=:]/.test(text.charAt(start + length))
}

const NAME_CHARACTERS = 24

function secretText(text: string, { start, end }: Span, assignment: NamedValue): Secret[] {
  // docs.cypress.io, `type`: a key behind a text.
  const kind = kindOfValue(text.slice(start, end).replace(/\{enter\}$/i, ''), assignment)
  return kind === undefined ? [] : [{ start, end, kind }]
}

/** A value without quotes. Shells end it at a blank; elsewhere commas and semicolons end it too. */
function secretWord(text: string, start: number, assignment: NamedValue): Secret[] {
  const whole = assignment.isLine ? wholeLine(text, start) : ''
  const kindOfWhole = whole === '' ? undefined : kindOfLine(whole, assignment)
  if (kindOfWhole !== undefined) return [{ start, end: start + whole.length, kind: kindOfWhole }]
  const pattern = assignment.syntax === 'shell' ? UNQUOTED_IN_SHELL : UNQUOTED
  const value = matchAt(pattern, text, start)?.[0] ?? ''
  const rest = start + value.length
  const isSetting =
    assignment.isSetting === true && value !== '' && /^(?:\r?\n|\\{1,4}n|\s*$)/.test(text.slice(rest, rest + 8))
  const kind = kindOfValue(trimValue(value), { ...assignment, isSetting, isData: isData(text, { start, end: rest }) })
  if (kind === undefined) return []
  // The beginning decides whether a value is secret; if so, all of it is.
  return [{ start, end: start + trimValue(text.slice(start, endOfRun(pattern, text, rest))).length, kind }]
}

/** Returns whether what stands around a value without quotes is no line of source code: settings, a command, a text in quotes. */
function isData(text: string, { start, end }: Span): boolean {
  const head = text.slice(Math.max(0, start - LINE_CHARACTERS), start)
  // In quotes, only what stands in them counts.
  if (/["']/.test(text.charAt(end))) return !CODE_BEFORE.test(head.split(/["']/).at(-1) ?? '')
  const rest = /^[^\n]*/.exec(text.slice(end, end + LINE_CHARACTERS))?.[0] ?? ''
  return !CODE_BEFORE.test(head.slice(head.lastIndexOf('\n') + 1)) && !CODE_BEHIND.test(rest)
}

const LINE_CHARACTERS = 120
const CODE_BEFORE = /[()]|=>|\w;|[!=]=|\b(?:const|let|var|return|self|this|new|await|val|my|def)\b/
const CODE_BEHIND = /^\s*(?:[;()!?]|,\s*$|[-+*/|.&]\s|\|\||&&|if\b|as\b|or\b|and\b|else\b)/

/** Returns a value without blanks that ends its line, and has a sign in it that ends other values. */
function wholeLine(text: string, start: number): string {
  const value = matchAt(WHOLE_LINE, text, start)?.[0] ?? ''
  return /[,;<>|([&%]|^[+=@]/.test(value) ? value : ''
}

const WHOLE_LINE =
  /(?![({[`]|[&*!<$%]\w{0,40}(?:[\s({<:>%]|$))[^\s"'`\\]{12,200}(?=[ \t]{0,20}(?:\r?\n|\\{1,4}[rn]|$))/y

/** All lines of a block of YAML: the first one decides. */
function secretBlock(text: string, at: number, assignment: NamedValue): Secret[] {
  const [first, ...others] = linesOfBlock(text, at)
  if (first === undefined) return []
  const secrets = secretWord(text, first.start, assignment)
  return secrets.flatMap(({ kind }) => [first, ...others].map((line) => ({ ...line, kind })))
}

/**
 * A part of a value without quotes. It ends where another name has a value of its own: otherwise, `token=token=token=`
 * would be judged again from each name on.
 */
const UNQUOTED_PART = String.raw`(?<=\w)<(?=\d)|[^\s"'${'`'},;<>|\\\u001b&=:/]|/(?![A-Z][A-Z\d]{0,40}_[A-Z\d_]{0,40}=)|[=:](?!(?<=(?:pass(?:word|wd|phrase|code)?|pwd|psk|pw|pin|secret|token|key)[\w-]{0,8}[=:])[=:]{0,3}[^\s"'=:])|\\(?![nrtu"'${'`'}\\])|&(?![\w.[\]-]{1,40}=)`
const UNQUOTED = new RegExp(`(?:${UNQUOTED_PART}){1,120}`, 'iy')
const UNQUOTED_IN_SHELL = new RegExp(`(?:${UNQUOTED_PART}|[,;](?=[^\\s"'\`,;<>|&\\\\])){1,120}`, 'iy')

/** Brackets and dots after a value belong to the text around it. */
function trimValue(value: string): string {
  let end = value.length
  while (end > 0 && ')]}.\\'.includes(value.charAt(end - 1))) end -= 1
  return value.slice(0, end)
}
