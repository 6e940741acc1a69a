/** A stretch of a text that is a secret. */
export interface Secret {
  start: number
  end: number
  kind: string
}

/** Parts of names whose value is secret, in any case. */
export const SECRET_NAMES = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'apikey',
  'api_key',
  'api-key',
  'accesskey',
  'access_key',
  'access-key',
  'private_key',
  'auth_key',
  'token',
  'credential',
  // Ends of the names of environment variables, in capitals.
  '_KEY',
  '_PASS',
  '_PWD',
]

/**
 * What follows the name: `=x`, `: "x"`, `": "x"`, ` => 'x'`, and in a command line ` x`, with quotes as JSON escapes
 * them. Sticky: it is tried at the end of each name only.
 */
const ASSIGNED =
  /(?:s|_?(?:access)?_?key|_?value|_?token){0,2}\d?(?:(?<mark>\\?["'\]]{0,2}\s{0,3}(?:=>|:=|[=:])\s{0,3})|(?<gap> ))(?<open>\\?["'`]?)(?<value>[^\s"'`,;<>|]{4,500})/iy

/** Values that are not secrets: placeholders, computed values, and names of types. */
const NO_SECRET =
  /^(?:[$<{%*[(&@!]|\\?\$|process\.|os\.|env[.[(]|import|config\.|settings\.|self\.|this\.|req(?:uest)?\.|null\b|none\b|undefined\b|true\b|false\b|string\b|number\b|boolean\b|str\b|any\b|unknown\b|required|optional|your|my[-_]|x{3,}|\.{3}|example|change|placeholder|redacted|dummy|fake|test$|secret$|password$|token$|key$)/i

/** An AWS secret access key has no prefix: it is 40 characters of Base64 (docs.aws.amazon.com/IAM, "Access keys"). */
const AWS_SECRET = /^[A-Za-z0-9/+]{40}$/

/** A name of a secret found in a text. */
export interface SecretName {
  word: string
  start: number
}

const isName = (text: string, { word, start }: SecretName): boolean =>
  !word.startsWith('_') || (text.startsWith(word, start) && !/[a-z]/i.test(text.charAt(start + word.length)))

const REST = /[^\s"'`,;<>|]*/y

/**
 * Returns the values of assignments whose name says that they are secret. Values that code computes are left out.
 * @param names all names of secrets in the text, in the order of their ends
 */
export function findAssignedSecrets(text: string, names: readonly SecretName[]): Secret[] {
  const secrets: Secret[] = []
  let end = 0
  for (const { word, start } of names) {
    if (start < end || !isName(text, { word, start })) continue
    end = start + word.length
    ASSIGNED.lastIndex = end
    const match = ASSIGNED.exec(text)
    const before = text.slice(Math.max(0, start - 30), start)
    const secret = match === null ? undefined : readValue(match, { name: word.toLowerCase(), before })
    if (secret === undefined) continue
    secrets.push(secret)
    // A name inside a value is part of the value.
    end = secret.end
  }
  return secrets
}

function readValue(match: RegExpExecArray, { name, before }: { name: string; before: string }): Secret | undefined {
  const { value = '', open = '', gap } = match.groups ?? {}
  // Only an option of a command is followed by a space alone.
  if (gap !== undefined && !/--[\w-]*$/.test(before)) return undefined
  const start = match.index + match[0].length - value.length
  const kind = kindOf(value.slice(0, endOfValue(value, value.length)), { name, isQuoted: open !== '' })
  if (kind === undefined) return undefined
  // The beginning decides whether the value is secret; if so, all of it is.
  REST.lastIndex = start + value.length
  REST.test(match.input)
  return { start, end: endOfValue(match.input, REST.lastIndex), kind }
}

/** Brackets and dots after a value belong to the text around it. */
function endOfValue(text: string, end: number): number {
  let last = end
  while (last > 0 && ')]}.\\'.includes(text.charAt(last - 1))) last -= 1
  return last
}

/**
 * A password in quotes may be a word. Every other secret looks random: it has letters and digits, and is not a call.
 */
function kindOf(value: string, { name, isQuoted }: { name: string; isQuoted: boolean }): string | undefined {
  if (value.length < 4 || NO_SECRET.test(value) || value.includes('(')) return undefined
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value)
  if (/^_?p(?:ass|wd)/.test(name)) return isQuoted || (isMixed && !/\w\.\w+\.\w/.test(value)) ? 'password' : undefined
  if (AWS_SECRET.test(value) && isMixed && /secret|key/.test(name)) return 'aws-secret-key'
  return isMixed && value.length >= 12 && !/^[\w-]+\.[\w.-]+$/.test(value) && !value.includes('/')
    ? 'secret'
    : undefined
}
