import { isGapNote, oneLine, shorten } from '../text/shorten.ts'

/** A name that code declares, and how: its signature, word for word and on one line. */
export interface Declaration {
  name: string
  signature: string
  /** The index of its first line, and the one after its last line. */
  start: number
  end: number
}

/** The number of declarations that are read from one text: a longer text is generated code. */
const MAX_DECLARATIONS = 80
const MAX_LINES = 4000
const MAX_LINE_CHARACTERS = 300

/**
 * Returns what code declares, in order: functions, methods, types with their fields, constants with their values, and
 * tests, in common programming languages.
 */
export function findDeclarations(code: string): Declaration[] {
  const lines = code.split('\n', MAX_LINES)
  const found: Declaration[] = []
  for (let index = 0; index < lines.length && found.length < MAX_DECLARATIONS; index++) {
    const line = lines[index] ?? ''
    if (line.length > MAX_LINE_CHARACTERS || line.trim() === '') continue
    const name = nameIn(line)
    if (name !== undefined) found.push({ name, start: index, ...readSignature(lines, index) })
  }
  return found
}

const MODIFIERS =
  '(?:(?:export|default|declare|abstract|async|public|private|protected|internal|static|final|override|open|unsafe|sealed|data|suspend|inline|pub(?:\\([a-z]{1,9}\\))?) ){0,6}'

/** Patterns with the declared name as their group: each at the beginning of a line. */
const DECLARATIONS: readonly RegExp[] = [
  // Declared with a keyword; in Go, a method's receiver is in front of its name.
  new RegExp(
    `^[ \\t]{0,8}${MODIFIERS}(?:function\\*?|class|interface|enum|type|namespace|def|defp|defmacro|defmodule|fn|struct|trait|impl|mod|func|fun|record|module|protocol) (?:\\([^()]{1,80}\\) )?([\\w$.:?!]{1,80})`,
  ),
  // A value at the top level
  /^(?:export )?(?:default )?(?:const|let|var|static|final) ([\w$]{1,80})\s*[:=]/,
  /^([A-Z][A-Z0-9_]{2,60})\s*[:=]/,
  /^[ \t]{0,4}@(?!(?:module|type)?doc |impl |spec |type )([a-z_]{2,60}) (?=[^\s(])/,
  // A declaration of a DSL in Elixir or Ruby: `attr :name`, `has_many :posts`
  /^[ \t]{2,10}([a-z_]{2,40} :[a-z_]{2,60}[?!]?)(?=[\s,(]|$)/,
  // A method: its line ends where its body begins.
  /^[ \t]{2,4}(?:(?:public|private|protected|static|async|get|set|override) ){0,4}(?!(?:if|for|while|switch|catch|return|function|with|await|else)\b)(#?[\w$]{1,80})\((?!.*=>)[^;]{0,200}\{\s*$/,
  /^[ \t]{0,8}(?:(?:public|private|protected|internal|static|final|override|virtual) ){1,5}[\w<>[\],.?]{1,60} (\w{1,80})\(/,
  // A test
  /^[ \t]{0,8}(?:t\.)?(?:test|it|describe)\((["'`][^"'`]{1,150})/,
  /^[ \t]{0,8}(?:test|describe) ("[^"]{1,150}")/,
  /^(?:create|alter) table (?:if not exists )?([\w."`]{1,80})/i,
]

/** Functions with several clauses of one name: the first argument distinguishes them. */
const CLAUSE = /^[ \t]{0,8}(?:def|defp|fn|function) [\w$?!]{1,80}\((.{1,60})/

function nameIn(line: string): string | undefined {
  for (const pattern of DECLARATIONS) {
    const [, name] = pattern.exec(line) ?? []
    if (name === undefined) continue
    const first = CLAUSE.exec(line)?.[1] ?? ''
    return /^["':%]/.test(first) ? `${name}(${first}` : name
  }
  return undefined
}

const MAX_SIGNATURE_LINES = 12
const MAX_SIGNATURE_CHARACTERS = 240

/** Declarations whose fields are a part of what they declare. */
const WITH_FIELDS = /^\s*(?:export |declare |pub(?:\([a-z]{1,9}\))? )*(?:interface|type|enum|struct|record)\b/

/** Reads a declaration up to its body, or up to the end of its fields, as one line. */
function readSignature(lines: readonly string[], start: number): Pick<Declaration, 'signature' | 'end'> {
  const hasFields = WITH_FIELDS.test(lines[start] ?? '')
  let text = ''
  let end = start
  while (end < start + MAX_SIGNATURE_LINES && end < lines.length) {
    const line = lines[end] ?? ''
    if (isGapNote(line)) break
    text += `${text === '' ? '' : ' '}${oneLine(line.slice(0, MAX_LINE_CHARACTERS))}`
    end += 1
    const goesOn = hasFields && /^\s{0,20}[|&] /.test(firstCode(lines, end))
    const isWhole = (isBalanced(text, hasFields) && !goesOn) || (!hasFields && BODY.test(line))
    if (text.length > MAX_SIGNATURE_CHARACTERS || isWhole) break
  }
  const plain = hasFields ? text : text.replace(/\s?(?:=> \{|%?\{|=>|, do|\bdo|:)$/, '').replace(CALLBACK, ')')
  return { signature: shorten(plain.replace(/ =$/, ' = …'), MAX_SIGNATURE_CHARACTERS), end }
}

/** Returns the next line that is no comment. */
const firstCode = (lines: readonly string[], at: number): string =>
  lines.slice(at, at + MAX_SIGNATURE_LINES).find((line) => !/^\s{0,20}(?:\/[/*]|\*)/.test(line)) ?? ''

/** The end of a line after which the body of a function begins. */
const BODY = /(?:=>|\))\s{0,4}\{\s*$/

/** The beginning of the function that a test is given. */
const CALLBACK = /, (?:async )?(?:function ?)?\(\w{0,20}\)$/

/** Whether all parentheses and templates of a text are closed, and a value follows each sign; with fields, all braces too. */
function isBalanced(text: string, hasFields: boolean): boolean {
  const count = (mark: string): number => text.split(mark).length
  if (/(?:[^=]=|[|&])$/.test(text) || count('`') % 2 === 0) return false
  return count('(') <= count(')') && count('[') <= count(']') && (!hasFields || count('{') <= count('}'))
}
