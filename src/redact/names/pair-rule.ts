import { BLANK, closeOf, endAt, endOf, matchAt, QUOTE, type Span } from '../scan.ts'
import { ASSIGNED_RULE } from './assigned-secrets.ts'
import { startOfName } from './assignment.ts'
import { DOCUMENT_RULES } from '../places/document-rules.ts'
import { ADDRESS_RULES, HEADER_RULES } from '../places/addresses.ts'
import { SETTING_RULES } from '../places/settings.ts'
import { createFinder, type Rule, type Secret } from '../rule.ts'

/** The keys of a name: `name`, `ParameterKey`, `option_name`. */
const NAME_KEY = String.raw`(?<![A-Za-z])[A-Za-z_]{0,20}(?:name|key|id|field|variable|header|setting|option|property|param)`

/** The keys of its value: `value`, `ParameterValue`, `option_value`. */
const VALUE_KEY = String.raw`(?:${QUOTE})?[A-Za-z_]{0,20}(?:value|val|secret_?string|data)`

const MARK = String.raw`(?:${QUOTE})?\s{0,3}[=:]\s{0,3}`

/** Another member of the same object. */
const MEMBER = String.raw`(?:${QUOTE})?[A-Za-z_]\w{0,30}${MARK}(?:${QUOTE}[^"'\n\\]{0,200}${QUOTE}|[\w.-]{1,40})`

/** Between two members: a comma, a line end of YAML, or a blank of XML. */
const NEXT = String.raw`(?:,${BLANK}{0,30}|[ \t]{1,10}(?=\w{1,20}=\\{0,3}["'])|(?:\r?\n|\\{1,4}n)[ \t]{0,40}|\swhere\s)`

const MARK_BEFORE = /[=:]\s{0,3}\\{0,3}["']?$/
const NAME_BEFORE = new RegExp(`${NAME_KEY}${MARK}(?:${QUOTE})?$`, 'i')
const REST_OF_NAME = new RegExp(String.raw`[\w.-]{1,60}(?:${QUOTE})?(?=[\s,;)}\\/>])`, 'y')
const VALUE_AFTER = new RegExp(
  String.raw`(?:${NEXT}${MEMBER}){0,4}?${NEXT}${VALUE_KEY}${MARK}(?!\s{0,3}(?:true|false|null|\d{1,20})\b)(?<quote>${QUOTE})?`,
  'iy',
)
const VALUE_BEFORE = new RegExp(String.raw`${VALUE_KEY}${MARK}(?<quote>${QUOTE})?`, 'iy')
const NAME_AFTER = new RegExp(
  String.raw`(?:${QUOTE})?(?:${NEXT}${MEMBER}){0,3}${NEXT}(?:${QUOTE})?[A-Za-z_]{0,30}${MARK}(?:${QUOTE})?$`,
  'iy',
)

/** How far the value is from its name, at most. */
const PAIR_CHARACTERS = 400

/** A value without quotes, of YAML: up to the end of its line. */
const BARE = /[^\s"'\\,{}[\]]{4,400}(?: [^\s"'\\,{}[\]]{4,400})?/y

const find = createFinder([...HEADER_RULES, ...ADDRESS_RULES, ...SETTING_RULES, ...DOCUMENT_RULES, ASSIGNED_RULE])

/** The value of an object that has its name in another member: `{"value": "x", "name": "Authorization"}`. */
export const PAIR_RULE: Rule = {
  hints: [...ASSIGNED_RULE.hints, 'authorization', 'cookie', 'sig'],
  isAnyCase: true,
  find(text, at) {
    const nameStart = startOfName(text, at)
    // Most names are no values: a look at the characters before them is enough.
    if (nameStart === 0 || !MARKS.includes(text.charAt(nameStart - 1))) return []
    if (!MARK_BEFORE.test(text.slice(Math.max(0, nameStart - MARK_CHARACTERS), nameStart))) return []
    const nameEnd = endAt(REST_OF_NAME, text, at)
    if (nameEnd === undefined || !NAME_BEFORE.test(text.slice(Math.max(0, nameStart - KEY_CHARACTERS), nameStart)))
      return []
    const name = text.slice(nameStart, nameEnd).replace(/\\{0,3}["']$/, '')
    const value = valueAt(text, matchAt(VALUE_AFTER, text, nameEnd)) ?? valueBefore(text, nameStart)
    return value === undefined ? [] : judge(text, name, value)
  },
}

/** The characters before a name that have its mark, and those that have the key of the name too. */
const MARK_CHARACTERS = 8
const KEY_CHARACTERS = 60

const MARKS = '"\' =:'
function valueBefore(text: string, nameStart: number): Span | undefined {
  const from = Math.max(0, nameStart - PAIR_CHARACTERS)
  const part = text.slice(from, nameStart)
  const word = Math.max(...['alue', 'ALUE', '"val"', 'data"'].map((key) => part.lastIndexOf(key)))
  if (word < 0) return undefined
  const key = word - (/[A-Za-z_]{0,20}$/.exec(part.slice(Math.max(0, word - 20), word))?.[0].length ?? 0)
  const value = valueAt(text, matchAt(VALUE_BEFORE, text, from + key))
  if (value === undefined || value.end > nameStart) return undefined
  return endAt(NAME_AFTER, text.slice(value.end, nameStart), 0) === undefined ? undefined : value
}

/** @param mark what stands before the value, with its quote */
function valueAt(text: string, mark: RegExpExecArray | undefined): Span | undefined {
  if (mark === undefined) return undefined
  const start = endOf(mark)
  const { quote } = mark.groups ?? {}
  const end = quote === undefined ? endAt(BARE, text, start) : closeOf(text, start, quote)
  return end === undefined ? undefined : { start, end }
}

/** Returns what is secret of a value, written beside its name, so that the same rules decide as for other texts. */
function judge(text: string, name: string, { start, end }: Span): Secret[] {
  const prefix = `"${name}": "`
  return find(`${prefix}${text.slice(start, end)}"`).flatMap((secret) => {
    const from = start + secret.start - prefix.length
    return from < start ? [] : [{ ...secret, start: from, end: Math.min(end, start + secret.end - prefix.length) }]
  })
}
