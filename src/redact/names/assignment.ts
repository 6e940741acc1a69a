import { endOf, matchAt, OPEN_REPLACEMENT } from '../scan.ts'
import { isChosen, isNumberedWords } from '../values/chosen-words.ts'
import { isStrictPassword } from '../values/passwords.ts'
import { isMixed, isRandom, isRandomText, isSigned } from '../values/secret-values.ts'

/** How a value is written behind its name; the first one that fits. */
type Syntax =
  /** As an argument of a command. */
  | 'option'
  /** As an argument of a call, or as an element of a list. */
  | 'call'
  /** As a variable of the environment: in capitals, with `=` and no blanks. */
  | 'shell'
  /** As a text in XML: it cannot be the name of a variable. */
  | 'element'
  /** As a parameter of an address: `?token=x`. */
  | 'query'
  /** As a property of a configuration, with `=`: it cannot be the name of a variable either. */
  | 'property'
  /** Behind `=` or `:`, at once or behind one blank. */
  | 'tight'
  | 'other'

/** A name, and how a value is assigned to it. */
export interface NamedValue {
  name: string
  isQuoted: boolean
  syntax: Syntax
  /** The assignment begins a line: all of a value that looks random belongs to it. */
  isLine?: boolean
  /** The assignment is a line of a file of settings, and nothing else stands on it. */
  isSetting?: boolean
  /** No source code stands around the value. */
  isData?: boolean
}

/** Before the name of a value that follows a blank: an option, `setx`, or `ENV` of Docker. */
const BEFORE_GAP =
  /(?:^|[\s"'`])(?:--?[\w.-]{0,60}|(?:setx|setenv|printf ['"]%s=%s[^'"\s]{0,6}['"]|ENV|SetEnv|set -\w{1,4}|config(?:ure)? set(?: --?[\w-]{1,20}){0,2}|git config(?: --?\w{1,20}){0,3}|proxy_set_header|RequestHeader set|p?npm set|user-secrets set|#define) [\w./:@"'\\-]{0,80})$/

/** A part of each text that `BEFORE_GAP` and `BEFORE_NETRC_GAP` match: most names have none before them. */
const MAY_BE_GAP = /[ \t\n"'`]-|^-|set|Set|ENV |#def|\(def|printf|git c|login|account|user/

/** The same in `.netrc`: `machine example.com login joe password x`, on one line or on several. */
const BEFORE_NETRC_GAP =
  /(?:\b(?:default|machine\s{1,3}\S{1,80})(?:\s|\\{1,4}n){1,10}|(?:^|\n|\\n)\s{0,10}(?:\d{1,6}(?:→|\t))?)(?:login|account|user)\s{1,3}[^\s\\]{1,60}(?:\s|\\{1,4}n){1,10}(?:\d{1,6}(?:→|\t))?$/

/** The same of SQL and Clojure, where the value is quoted: `ALTER ROLE app PASSWORD 'x'`, `{:password "x"}`. */
const BEFORE_QUOTED_GAP =
  /\b(?:user|role|with|encrypted|secret)\s(?:["']?[\w@%.]{1,40}["']?\s)?(?:with\s)?$|[\s{(,]:[\w./-]{0,40}$|\((?:def\w{0,8}|set[qf]?) [\w./-]{0,40}$/i

/** Before the name of a property that a blank follows, in Groovy, Ruby, CMake and Elixir: `storePassword 'x'`. */
const BEFORE_PROPERTY = /(?:^|\n|\\n|[{;@(,]|→|: |set\(|-define\()[ \t]{0,20}[\w.-]{0,40}$/

/** Returns whether a value may follow a blank: in quotes, or as a random value that ends its line. */
function isAfterGap(text: string, { quote, head, at }: { quote: string; head: string; at: number }): boolean {
  if (quote !== '') return BEFORE_QUOTED_GAP.test(head) || (!quote.endsWith('`') && BEFORE_PROPERTY.test(head))
  const value = matchAt(LAST_WORD, text, at)?.[0] ?? ''
  const isProperty = BEFORE_PROPERTY.test(head)
  if (isProperty && isRandomText(value) && !/[[\]{}:]|^[^A-Za-z\d]/.test(value)) return true
  return (
    isStrictPassword(value) &&
    (isRandom(value) || (isProperty && (isSigned(value) || isChosen(value) || isNumberedWords(value))))
  )
}

const LAST_WORD = /[^\s"'`\\,;()<>|]{8,100}(?<!\*)(?=[ \t]{0,20}(?:\r?\n|\\{1,4}[rn]|$))/y

/** Before the word for a test that passes. */
const OUTCOME = /(?:[✓✔√✅]|\bok(?: \d{1,6})?(?: -)?) $/

/** Before the name in an element: `<entry key="`. */
const BEFORE_ATTRIBUTE = /<[\w:.-]{1,40}\s[^<>\n]{0,40}\b(?:key|name|id|property)=\\{0,3}["'][\w.:-]{0,60}$/i

/** The first word of a name with a blank: `API Key`. */
const FIRST_WORD =
  /\b(?:my|api|access|secret|private|auth|signing|encryption|master|service|license|wi-?fi|wlan|unseal|recovery|deploy)\s$/i

/** Before a key of YAML that stands on a line of its own. */
const BEFORE_COMPLEX = /(?:^|\n|\\n|→|\t|["'])[ \t]{0,20}\? [\w.-]{0,60}$/

/** A group of a pattern, and a word for a password in an address, look like an element. */
const BEFORE_ELEMENT = /(?:(?<!\?P?|[:/])<|lt;)[\w:.-]{0,60}$/

/** Returns whether a name may stand behind this text: an attribute or an element needs its tag. */
function isNameAt(head: string, { groups = {} }: RegExpExecArray): boolean {
  return (
    (groups['attribute'] === undefined || BEFORE_ATTRIBUTE.test(head)) &&
    (groups['complex'] === undefined || BEFORE_COMPLEX.test(head)) &&
    (groups['xml'] === undefined || BEFORE_ELEMENT.test(head)) &&
    // A type of a resource, as a key: `"AWS::IAM::AccessKey": `.
    !(/\w::\w*$/.test(head) && /^\\{0,3}["']\s?:/.test(groups['mark'] ?? '')) &&
    !OPEN_REPLACEMENT.test(head)
  )
}

/** No name with capitals and digits in no order is as long. */
const BASE64_CHARACTERS = 32

/** Returns a name and how its value is assigned; undefined where a blank follows a name in prose. */
export function describe(
  text: string,
  { at, nameEnd, match }: { at: number; nameEnd: number; match: RegExpExecArray },
): NamedValue | undefined {
  const { pair, mark = '', gap, quote = '', open = '' } = match.groups ?? {}
  const nameStart = startOfName(text, at)
  const line = text.slice(Math.max(0, nameStart - 80), nameStart)
  const head = line + text.slice(nameStart, at)
  // The token of a badge is public.
  if (!isNameAt(head, match) || /(?:\barn:[\w:./-]{0,70}|\.svg\?|\bdid:)$/.test(line)) return undefined
  const bySpace = syntaxBySpace(text, { nameStart, head, match })
  if (gap !== undefined && bySpace === undefined) return undefined
  const name = (FIRST_WORD.exec(line)?.[0] ?? '') + text.slice(nameStart, nameEnd)
  if (/^pass$/i.test(name) && OUTCOME.test(line)) return undefined
  // The end of a line of Base64 is no name.
  if (name.length >= BASE64_CHARACTERS && isRandom(name)) return undefined
  const isCapitals = /^[A-Z][A-Z0-9_]*$/.test(name)
  const isShell = isCapitals && (mark === '=' || pair !== undefined) && !quote.endsWith('`')
  return {
    name,
    isQuoted: quote + open !== '',
    syntax: bySpace ?? (isShell ? 'shell' : syntaxByMark(match, { line, name })),
    isLine: /(?:^|\n|\\n|→|\||")[ \t+-]{0,20}(?:export )?$/.test(line) && /^(?:=|:| = | := )\s{0,3}$/.test(mark),
    isSetting:
      /(?:^|\n|\\n|→|\|)[ \t+-]{0,20}$/.test(line) &&
      (mark === '=' || (isCapitals && name.includes('_') && /^:\s/.test(mark))),
  }
}

/** Returns the syntax of a value behind a blank, and of the arguments of calls; undefined for others, and for prose. */
function syntaxBySpace(
  text: string,
  { nameStart, head, match }: { nameStart: number; head: string; match: RegExpExecArray },
): Syntax | undefined {
  const { gap, quote = '', call, list } = match.groups ?? {}
  const isGap = gap !== undefined && MAY_BE_GAP.test(head)
  const isParameter = isGap && /(?:^|\s)-[A-Za-z]{0,40}$/.test(head) && /[A-Z]/.test(text.charAt(nameStart))
  if (isParameter || ((isGap || call !== undefined) && BEFORE_GAP.test(head))) return 'option'
  const start = endOf(match)
  if (gap !== undefined && quote === '' && isColumn(text, { head, gap, start })) return 'shell'
  const isNetrc = isGap && BEFORE_NETRC_GAP.test(head)
  if (isNetrc && !/^[a-z]{1,20}(?![^\s"'`\\])/.test(text.slice(start, start + 24))) return 'option'
  if (gap === undefined) return (call ?? list) === undefined ? undefined : 'call'
  if (!isNetrc && !isAfterGap(text, { quote, head, at: start })) return undefined
  return quote !== '' && !BEFORE_QUOTED_GAP.test(head) ? 'call' : 'other'
}

/** Before a name in capitals that begins its line, in a table without lines. */
const BEFORE_COLUMN = /(?:^|\n|\\n|["'])[A-Z][A-Z\d]{0,30}_[A-Z\d_]{0,50}$/

/** Before any other name that begins its line. */
const BEFORE_OTHER_COLUMN = /(?:^|\n|\\n|["'])[ \t]{0,12}[A-Za-z][\w.-]{0,60}$/

/** A value that is alone in its column. */
const IN_COLUMN = /[^\s"'\\]{6,200}(?=\t| {2}|[ \t]{0,8}(?:\r?\n|\\{1,4}[nt]|$|"))/y

/** Returns whether a value is in the column behind its name: `DB_PASSWORD    x`, as PowerShell and `gh variable list` print it. */
function isColumn(
  text: string,
  { head, gap = '', start }: { head: string; gap: string | undefined; start: number },
): boolean {
  if (!/^(?:\t| {2}|\\)/.test(gap) || gap.includes('\n')) return false
  const isCapitals = BEFORE_COLUMN.test(head)
  if (!isCapitals && !(gap.length > 2 && BEFORE_OTHER_COLUMN.test(head))) return false
  const value = matchAt(IN_COLUMN, text, start)?.[0] ?? ''
  return isMixed(value) && isStrictPassword(value) && (isCapitals || isNumberedWords(value) || isRandom(value))
}

function syntaxByMark({ groups = {} }: RegExpExecArray, { line, name }: { line: string; name: string }): Syntax {
  const { pair = '', mark = '', xml, attribute } = groups
  if ((xml ?? attribute) !== undefined || pair.startsWith('<')) return 'element'
  if (mark === '=' && (/;\s?$/.test(line) || name === '_password' || isPropertyName(name))) return 'property'
  if (mark === '=' && /(?:^|[\s"'`(])--$/.test(line)) return 'option'
  if (mark === '=' && /[?&#]$|&amp;$/.test(line)) return 'query'
  return /^(?: ?(?:[:?]?=|:)\s?|\] =>\s)$/.test(mark) ? 'tight' : 'other'
}

/** The name of a property of a configuration, not of a program: `spring.datasource.password`. */
const isPropertyName = (name: string): boolean => /^(?!this|self|req)[a-z][\w-]*\.[\w-]+\.[\w.-]+$/.test(name)

/** Letters, digits, `-`, `.` and `_`: a pattern for each would take twice as long. */
const isInName = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 45 && code <= 57 && code !== 47) || code === 95

/** Returns where the name begins that ends with a word. A letter of an escape is not part of it. */
export function startOfName(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 60 && isInName(text.charCodeAt(start - 1))) start -= 1
  if (start < at && text.charAt(start - 1) === '\\' && /[nrtbfv]/.test(text.charAt(start))) start += 1
  while (start < at && '-.'.includes(text.charAt(start))) start += 1
  return start
}
