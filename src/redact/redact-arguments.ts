import { parseJson } from '../session/entry.ts'
import { redactKeyLines } from './keys/redact-key-lines.ts'

/** Replaces the secrets of the texts that it gets. */
export interface Redactor {
  text: (text: string) => string
  /** Replaces the secrets of the output of a command that prints one. */
  printed?: (output: string) => string
  /** Whether the name of an argument decides about its value. */
  isNamed: boolean
  /** Returns the replacement of a value that is nested too deeply to be searched; it counts as a secret. */
  tooDeep: () => string
}

/** No real arguments are nested deeper. Values below this depth are hostile: they are removed without a search. */
const MAX_DEPTH = 200

/** Names whose value is secret, whatever it looks like. */
const SECRET_NAME =
  /pass|pwd|(?:^|[_-])pw$|secret|token|key|credential|cookie|authorization|^bearer$|^basic_?auth$|^psk$|^sig$|(?:^|[_.-])pin\d?$|[a-z]Pin$/i

/**
 * Returns a tool's arguments with their secrets replaced: those in every text and key, and a whole text whose name says
 * that it is one.
 */
export function redactArguments(value: unknown, redactor: Redactor, { name = '', depth = 0 } = {}): unknown {
  if (typeof value === 'string') return redactNamed(name, value, redactor)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return redactor.tooDeep()
  const inside = (child: unknown, childName: string): unknown =>
    redactArguments(child, redactor, { name: childName, depth: depth + 1 })
  if (!Array.isArray(value)) return redactObject(value, { name, inside, redactor })
  const lines = redactor.isNamed ? redactKeyLines(value, redactor.text) : value
  const words: unknown[] = lines.map((child: unknown) => inside(child, name))
  return redactor.isNamed ? redactWords(lines, words, { name, redactor }) : words
}

/** Keys whose value belongs to the name beside or above them: `{"name": "DB_PASSWORD", "value": "x"}`. */
const VALUE_KEY = /^[$_]?\w{0,20}(?:value|val|text|string|answers?|response|keys|content|input|stdin|plaintext)$/i
const NAME_KEY =
  /^\w{0,20}(?:name|key|id|field|variable|element|label|selector|placeholder|setting|option|property|param|parameter|attribute|question|type|target|locator|action)$/i

/** The path of a setting: `db.password`. */
const PATH_OF_SETTING = /^[\w-]{1,40}(?:\.[\w-]{1,40}){1,6}$/

/** The names of objects that have only secrets, and those of their keys that name no secret. */
const SECRET_GROUP = /^(?:secrets?|credentials?|tokens?|api_?keys)$/i
const PUBLIC_KEY = /user|name|mail|host|url|region|type|id$|path|file|expir|scope/i
const PASSWORD_KEY = /pass|pwd/i

/** A command, and its arguments beside it: `{"cmd": "curl", "args": ["-u", "joe:x"]}`. */
const COMMAND_KEY = /^(?:entrypoint|cmd|command|program|executable)$/i
const WORDS_KEY = /^(?:args|argv|arguments|params|command)$/i

interface InList {
  name: string
  redactor: Redactor
}

interface InObject {
  name: string
  inside: (child: unknown, name: string) => unknown
  redactor: Redactor
}

function redactObject(value: object, { name, inside, redactor }: InObject): unknown {
  const entries: [string, unknown][] = Object.entries(value)
  const names = entries.flatMap(([key, child]) =>
    typeof child !== 'string'
      ? []
      : NAME_KEY.test(key) || (key === 'path' && PATH_OF_SETTING.test(child))
        ? [nameOf(child)]
        : describesSecret(key, child)
          ? ['secret']
          : [],
  )
  const found = [...names, name].find((one) => SECRET_NAME.test(one)) ?? name
  // The value of a cookie is the secret; in a text, the header would name it.
  const nameOfValue = /^cookies?$/i.test(found) ? 'session_token' : found
  const isSecretGroup = SECRET_GROUP.test(name)
  const nextNumbers = new Map<string, number>()
  const command = redactor.isNamed ? entries.find(([key]) => COMMAND_KEY.test(key)) : undefined
  return Object.fromEntries(
    entries.map(([key, child]) => {
      const ownName = isSecretGroup && !PUBLIC_KEY.test(key) && !PASSWORD_KEY.test(key) ? 'secret' : key
      const redacted = inside(child, VALUE_KEY.test(key) && nameOfValue !== '' ? nameOfValue : ownName)
      const isOfCommand = command !== undefined && command[0] !== key && WORDS_KEY.test(key)
      return [
        uniqueKey(redactor.text(key), nextNumbers),
        isOfCommand ? redactArgumentsOf(command[1], redacted, redactor) : redacted,
      ]
    }),
  )
}

/** Returns the arguments of a command with the secrets replaced that only the command tells: the rules for text know such objects. */
function redactArgumentsOf(command: unknown, given: unknown, { text: redact }: Redactor): unknown {
  const read = parseJson(redact(JSON.stringify({ command, args: given })))
  return typeof read === 'object' && read !== null && 'args' in read ? read.args : given
}

/** Returns the name of a value; that of a field that a browser fills is a description: `#password`, `Password field`. */
const nameOf = (described: string): string =>
  /pass(?:word|wd|phrase)|passwort/i.test(described) && /[^\w-]|(?:field|input|box)\d?$/i.test(described)
    ? 'password'
    : described

/** Returns whether a text for the user says that a secret is beside it: "Enter the sudo password". */
const describesSecret = (key: string, text: string): boolean =>
  /^(?:prompt|command|cmd|description|message|title|hint|caption)$/i.test(key) &&
  text.length < 100 &&
  /\b(?:password|passphrase|api key|token)\b/i.test(text)

/**
 * Returns the words of a list, with those secrets replaced that only their neighbours show: `["mysql", "-p", "x"]`, and the
 * pair `["Authorization", "x"]`.
 * @param words without the secrets that are recognizable alone
 */
function redactWords(originals: readonly unknown[], words: readonly unknown[], { name, redactor }: InList): unknown[] {
  const [first, second] = originals
  if (
    /^(?:(?:basic_?)?auth|credentials?)$/i.test(name) &&
    words.length === 2 &&
    typeof second === 'string' &&
    words[1] === second
  )
    return [words[0], redactNamed('password', second, redactor)]
  if (originals.length === 2 && typeof first === 'string' && typeof second === 'string' && !first.startsWith('-'))
    return words[1] === second ? [words[0], redactNamed(first, second, redactor)] : [...words]
  return redactList(words, redactor)
}

/** Returns a list with the secrets of its texts replaced, written as JSON: the rules for text know lists of words. */
function redactList(words: readonly unknown[], { text: redact }: Redactor): unknown[] {
  const isShort = (word: unknown): word is string => typeof word === 'string' && word.length <= MAX_NAMED_CHARACTERS
  const texts = words.filter(isShort)
  if (texts.length < 2) return [...words]
  const json = JSON.stringify(texts)
  const redacted = redact(json)
  const read = redacted === json ? undefined : parseJson(redacted)
  if (!Array.isArray(read) || read.length !== texts.length) return [...words]
  return words.map((word): unknown => (isShort(word) ? read.shift() : word))
}

/**
 * Returns a key that no entry before has: two keys that are secrets must not become one, since that would lose a value.
 * @param nextNumbers the next number of each key: counting from 2 for each of many equal keys would take quadratic time
 */
function uniqueKey(key: string, nextNumbers: Map<string, number>): string {
  const numbered = (number: number): string => (number === 1 ? key : `${key} (${number})`)
  let number = nextNumbers.get(key) ?? 1
  while (nextNumbers.has(numbered(number))) number += 1
  nextNumbers.set(numbered(number), 2)
  nextNumbers.set(key, number + 1)
  return numbered(number)
}

/** Longer texts are documents: what is secret in them does not depend on the name of the whole. */
const MAX_NAMED_CHARACTERS = 1_000

/** Searches a text together with its name, written as in JSON, so that the same rules decide as for other texts. */
function redactNamed(name: string, text: string, { text: redact, isNamed }: Redactor): string {
  const redacted = redact(text)
  if (redacted !== text || !isNamed || text.length > MAX_NAMED_CHARACTERS || !SECRET_NAME.test(name)) return redacted
  const prefix = `"${name}": `
  const value = text.trimEnd()
  const named = redact(prefix + JSON.stringify(value))
  if (!named.startsWith(`${prefix}"`) || !named.endsWith('"')) return redacted
  // A secret may have ended inside an escape.
  const read = parseJson(named.slice(prefix.length))
  return typeof read === 'string' ? read + text.slice(value.length) : '[redacted:secret]'
}
