import { ASSIGNED } from './assignment-forms.ts'
import { isStrictPassword } from '../values/password-values.ts'
import { isChosen } from '../values/chosen-words.ts'
import type { KeyValue } from './secret-names.ts'
import { isRandom, isSigned } from '../values/secret-values.ts'

/** Before the name of a value that follows a blank: an option, `setx`, or `ENV` of Docker. */
const BEFORE_GAP =
  /(?:^|[\s"'`])(?:--?[\w.-]{0,60}|(?:setx|ENV|SetEnv|set -\w{1,4}|config(?:ure)? set(?: --?[\w-]{1,20}){0,2}|git config(?: --?\w{1,20}){0,3}|proxy_set_header|RequestHeader set|p?npm set|user-secrets set|#define) [\w./:@"'\\-]{0,80})$/

/** A part of each text that `BEFORE_GAP` and `BEFORE_NETRC_GAP` match: most names have none before them. */
const MAY_BE_GAP = /[ \t\n"'`]-|^-|set|Set|ENV |#def|git c|login|account/

/** The same in `.netrc`: `machine example.com login joe password x`, on one line or on several. */
const BEFORE_NETRC_GAP =
  /(?:\b(?:default|machine\s{1,3}\S{1,80})(?:\s|\\{1,4}n){1,10}|(?:^|\n|\\n)\s{0,10}(?:\d{1,6}(?:→|\t))?)(?:login|account)\s{1,3}[^\s\\]{1,60}(?:\s|\\{1,4}n){1,10}(?:\d{1,6}(?:→|\t))?$/

/** The same of SQL and Clojure, where the value is quoted: `ALTER ROLE app PASSWORD 'x'`, `{:password "x"}`. */
const BEFORE_QUOTED_GAP =
  /\b(?:user|role|with|encrypted|secret)\s(?:["']?[\w@%.]{1,40}["']?\s)?(?:with\s)?$|[\s{(,]:[\w./-]{0,40}$/i

/** Before the name of a property that a blank follows, in Groovy, Ruby, CMake and Elixir: `storePassword 'x'`. */
const BEFORE_PROPERTY = /(?:^|\n|\\n|[{;@(,]|→|: |set\(|-define\()[ \t]{0,20}[\w.-]{0,40}$/

/** Returns whether a value may follow a blank: in quotes, or as a random value that ends its line. */
function isAfterGap(text: string, { quote, head, at }: { quote: string; head: string; at: number }): boolean {
  if (quote !== '') return BEFORE_QUOTED_GAP.test(head) || (!quote.endsWith('`') && BEFORE_PROPERTY.test(head))
  LAST_WORD.lastIndex = at
  const value = LAST_WORD.exec(text)?.[0] ?? ''
  return (
    isStrictPassword(value) && (isRandom(value) || ((isSigned(value) || isChosen(value)) && BEFORE_PROPERTY.test(head)))
  )
}

const LAST_WORD = /[^\s"'`\\,;()<>|]{8,100}(?<!\*)(?=[ \t]{0,20}(?:\r?\n|\\{1,4}[rn]|$))/y

/** Before the name in an element: `<entry key="`. */
const BEFORE_ATTRIBUTE = /<[\w:.-]{1,40}\s[^<>\n]{0,40}\b(?:key|name|id|property)=\\{0,3}["'][\w.:-]{0,60}$/i

/** The first word of a name with a blank: `API Key`. */
const FIRST_WORD =
  /\b(?:api|access|secret|private|auth|signing|encryption|master|service|license|wi-?fi|wlan|unseal|recovery|deploy)\s$/i

/** Before a key of YAML that stands on a line of its own. */
const BEFORE_COMPLEX = /(?:^|\n|\\n|→|\t|["'])[ \t]{0,20}\? [\w.-]{0,60}$/

const BEFORE_ELEMENT = /(?:<|lt;)[\w:.-]{0,60}$/

/** Returns whether a name may stand behind this text: an attribute or an element needs its tag. */
function isNameAt(head: string, { groups = {} }: RegExpExecArray): boolean {
  return (
    (groups['attribute'] === undefined || BEFORE_ATTRIBUTE.test(head)) &&
    (groups['complex'] === undefined || BEFORE_COMPLEX.test(head)) &&
    (groups['xml'] === undefined || BEFORE_ELEMENT.test(head)) &&
    !/\[redacted:[a-z-]{0,20}$/.test(head)
  )
}

/** Describes a name and how its value is assigned; undefined where a blank follows a name in prose. */
export function describe(
  text: string,
  { at, nameEnd, match }: { at: number; nameEnd: number; match: RegExpExecArray },
): KeyValue | undefined {
  const { pair, mark = '', gap, quote = '', open = '', xml, call, list, attribute } = match.groups ?? {}
  const nameStart = startOfName(text, at)
  const line = text.slice(Math.max(0, nameStart - 80), nameStart)
  const head = line + text.slice(nameStart, at)
  if (!isNameAt(head, match)) return undefined
  const isGap = gap !== undefined && MAY_BE_GAP.test(head)
  const isParameter = isGap && /(?:^|\s)-[A-Za-z]{0,40}$/.test(head) && /[A-Z]/.test(text.charAt(nameStart))
  const isOption = isParameter || ((isGap || call !== undefined) && BEFORE_GAP.test(head))
  const isNetrc = isGap && BEFORE_NETRC_GAP.test(head)
  if (gap !== undefined && !isOption && !isNetrc && !isAfterGap(text, { quote, head, at: ASSIGNED.lastIndex }))
    return undefined
  const isProperty = gap !== undefined && quote !== '' && !BEFORE_QUOTED_GAP.test(head)
  // The token of a badge is public.
  if (/(?:\barn:[\w:./-]{0,70}|\.svg\?)$/.test(line)) return undefined
  const name = (FIRST_WORD.exec(line)?.[0] ?? '') + text.slice(nameStart, nameEnd)
  const isCapitals = /^[A-Z][A-Z0-9_]*$/.test(name)
  return {
    name,
    isQuoted: quote + open !== '',
    isOption:
      isOption ||
      (isNetrc && !/^[a-z]{1,20}(?![^\s"'`\\])/.test(text.slice(ASSIGNED.lastIndex, ASSIGNED.lastIndex + 24))),
    isShell: isCapitals && (mark === '=' || pair !== undefined) && !quote.endsWith('`'),
    isLiteral:
      xml !== undefined ||
      attribute !== undefined ||
      pair?.startsWith('<') === true ||
      (mark === '=' && (/;\s?$/.test(line) || name === '_password' || isPropertyName(name))),
    isSetting:
      /(?:^|\n|\\n|→|\|)[ \t+-]{0,20}$/.test(line) &&
      (mark === '=' || (isCapitals && name.includes('_') && /^:\s/.test(mark))),
    isTight: /^[=:]\s?$/.test(mark),
    isLine: /(?:^|\n|\\n|→|\|)[ \t+-]{0,20}(?:export )?$/.test(line) && /^(?:=|:| = | := )\s{0,3}$/.test(mark),
    isCall: !isOption && ((call ?? list) !== undefined || isProperty),
  }
}

/** The name of a property of a configuration, not of a program: `spring.datasource.password`. */
const isPropertyName = (name: string): boolean => /^(?!this|self|req)[a-z][\w-]*\.[\w-]+\.[\w.-]+$/.test(name)

const IN_NAME = /[A-Za-z0-9_.-]/

/** Returns where the name begins that ends with a word. A letter of an escape is not part of it. */
function startOfName(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 60 && IN_NAME.test(text.charAt(start - 1))) start -= 1
  if (start < at && text.charAt(start - 1) === '\\' && /[nrtbfv]/.test(text.charAt(start))) start += 1
  while (start < at && '-.'.includes(text.charAt(start))) start += 1
  return start
}
