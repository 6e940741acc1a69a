import { decodePercent } from './encoded-text.ts'
import { isPath, isPlaceholder, isRandom, isRandomLetters, shareOfChanges } from './secret-values.ts'
import { BASE64_RUN, endOf, isTokenStart, type Secret } from './rule.ts'

/** A value that a rule has found, with its kind. */
export type KnownValue = readonly [value: string, kind: string]

/** Shorter values may stand anywhere by accident. */
const MIN_CHARACTERS = 8

/** Of longer values, as much is compared; the characters of the secret behind it are replaced too. */
const MAX_CHARACTERS = 512

/** From this length on, a value is replaced inside words too. */
const CERTAIN_CHARACTERS = 20

/** As many values may end alike: more would let a hostile text need a comparison with each of them at each place. */
const MAX_ALIKE = 16

/**
 * Finds values that rules have found before, wherever they stand. One pass over a text, whatever the number of values:
 * their last eight units select the places where they are compared, and the search skips what cannot be one of them (Wu
 * and Manber, "A fast algorithm for multi-pattern searching", 1994).
 */
export class KnownValues {
  /** The values by their last eight units. */
  readonly #byEnd = new Map<string, KnownValue[]>()
  /** How far the next value's end is at least, by the last three units before here. */
  readonly #shifts = new Uint8Array(HASHES).fill(MAX_SHIFT)
  readonly #known = new Map<string, string>()

  constructor(values: Iterable<KnownValue> = []) {
    for (const [value, kind] of values) this.#add(value, kind)
  }

  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  /** Returns all values: a later stage of the request needs them. */
  list(): KnownValue[] {
    return [...this.#known]
  }

  /** Remembers a secret, in all the forms in which it can stand elsewhere. */
  learn(secret: string, kind: string): void {
    if (kind === 'private-key') {
      for (const [line] of decodePercent(secret).matchAll(KEY_LINE)) this.#add(line, kind)
      return
    }
    const value = secret.slice(0, MAX_CHARACTERS)
    if (!isUnmistakable(value)) return
    for (const form of formsOf(value)) this.#add(form, kind)
  }

  /** Forgets values that are names in these texts: an identifier of code, or a part of a path. */
  forgetNames(texts: () => Iterable<string>, paths: readonly string[]): void {
    const names = new Set(this.list().flatMap(([value]) => (isName(value) ? [value] : [])))
    const parts = this.isEmpty ? [] : paths.flatMap((path) => path.split(/[/\\]/))
    for (const part of parts) for (const name of [part, part.replace(/\.\w{1,8}$/, '')]) this.#forget(name)
    if (names.size === 0) return
    for (const text of texts())
      for (const { start, end } of this.find(text)) {
        const value = text.slice(start, end)
        if (names.has(value) && isIdentifierAt(text, start, end)) this.#forget(value)
      }
  }

  /** Returns the places of all values in a text, in the order of their ends. */
  find(text: string): Secret[] {
    if (this.isEmpty || text.length < MIN_CHARACTERS) return []
    const found: Secret[] = []
    for (let last = MIN_CHARACTERS - 1; last < text.length;) {
      const shift = this.#shifts[hashAt(text, last)] as number
      const value = shift === 0 ? this.#valueBefore(text, last + 1) : undefined
      if (value !== undefined) found.push(value)
      last += Math.max(1, shift)
    }
    return found
  }

  #valueBefore(text: string, end: number): Secret | undefined {
    for (const [value, kind] of this.#byEnd.get(text.slice(end - MIN_CHARACTERS, end)) ?? []) {
      const start = end - value.length
      if (start < 0 || !text.startsWith(value, start)) continue
      if (value.length === MAX_CHARACTERS) return { start, end: endOf(BASE64_RUN, text, end), kind }
      if (value.length >= CERTAIN_CHARACTERS || isWhole(text, start, end)) return { start, end, kind }
    }
    return undefined
  }

  #add(form: string, kind: string): void {
    const value = form.slice(0, MAX_CHARACTERS)
    if (value.length < MIN_CHARACTERS || this.#known.has(value)) return
    const end = value.slice(-MIN_CHARACTERS)
    const alike = this.#byEnd.get(end) ?? []
    if (alike.length >= MAX_ALIKE) return
    this.#known.set(value, kind)
    // The longest one comes first: it replaces more.
    this.#byEnd.set(
      end,
      [...alike, [value, kind] as const].sort(([a], [b]) => b.length - a.length),
    )
    for (let last = BLOCK_UNITS - 1; last < MIN_CHARACTERS; last++) {
      const hash = hashAt(end, last)
      this.#shifts[hash] = Math.min(this.#shifts[hash] as number, MIN_CHARACTERS - 1 - last)
    }
  }

  #forget(value: string): void {
    if (!this.#known.delete(value)) return
    const end = value.slice(-MIN_CHARACTERS)
    this.#byEnd.set(
      end,
      (this.#byEnd.get(end) ?? []).filter(([other]) => other !== value),
    )
  }
}

/** As many units decide how far the search can skip. */
const BLOCK_UNITS = 3
const MAX_SHIFT = MIN_CHARACTERS - BLOCK_UNITS + 1
const HASHES = 0x10000

/** Returns the hash of the three units that end at a place. */
const hashAt = (text: string, last: number): number =>
  ((text.charCodeAt(last - 2) << 10) ^ (text.charCodeAt(last - 1) << 5) ^ text.charCodeAt(last)) & (HASHES - 1)

/** The lines of a private key; shorter ones, as at its end, are not certain enough. */
const KEY_LINE = /[A-Za-z0-9+/]{40,512}/g

/** Words, with or without a mark between them, or numbers: these may mean something else at another place. */
const WORDS =
  /^(?:[\p{L}\p{M}]+(?:[-_./:@+ ][\p{L}\p{M}]+){0,1}|[\p{L}\p{M}]+(?:[-_./:@+][\p{L}\p{M}]+)*|[\p{N}\p{P}\p{S}\s]+)$/u
const LONG_WORD = /^[a-z]{21,}$/
const MAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/

/** Returns whether a value means the same secret wherever it stands: it is no word, number, path or address. */
function isUnmistakable(value: string): boolean {
  if (value.length < MIN_CHARACTERS || isPlaceholder(value) || isPath(value) || MAIL.test(value)) return false
  return !WORDS.test(value) || LONG_WORD.test(value) || isRandom(value) || isRandomWord(value)
}

/** Letters alone are no word where capitals follow no word, or no vowel is among many. */
const isRandomWord = (value: string): boolean =>
  isRandomLetters(value) || (/^[A-Za-z]+$/.test(value) && shareOfChanges(value) >= RANDOM_WORD_SHARE)

const RANDOM_WORD_SHARE = 0.4

/** Returns a value as it was found, without the escapes of JSON and of addresses, and with those and the ones of HTML. */
function formsOf(value: string): Set<string> {
  const plain = value.includes('\\') ? unescape(value) : value
  const decoded = decode(plain)
  const forms = [value, JSON.stringify(plain).slice(1, -1), encode(plain), toHtml(plain)]
  return new Set([plain, decoded, ...forms].filter((form) => form === value || isUnmistakable(form)))
}

/** Returns a value of an address without its percent encoding. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const toHtml = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => HTML[sign] ?? sign)

function unescape(value: string): string {
  try {
    return String(JSON.parse(`"${value}"`))
  } catch {
    return value
  }
}

/** Half a surrogate pair has no percent encoding. */
const encode = (value: string): string => (/\p{Cs}/u.test(value) ? value : encodeURIComponent(value))

/** Returns whether a value can be an identifier of code: a long random value cannot. */
const isName = (value: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(value) && (value.length < CERTAIN_CHARACTERS || !isRandom(value))

/** Before a member, or a variable of a shell. */
const BEFORE_MEMBER = /(?:[\w)\]]\??\.|::|->|\$\{?)$/

/** What stands before a name that code declares, and behind it: in a sentence, the same words are followed by others. */
const DECLARATIONS: readonly [before: RegExp, behind: RegExp][] = [
  [/\b(?:const|let|var) $/, /^\s?[=:;]/],
  [/\b(?:class|interface|struct|enum|type) $/, /^(?:\s?[={<]| (?:extends|implements|struct|interface)\b)/],
  [/\b(?:class|def|function|func|fn|new) $/, /^[:<\n]/],
  [/(?:^|\n)import (?:\{ ?)?$|\bfrom [\w.]{1,60} import $/, /^(?:\s?[;,}.\n]| (?:from|as)\b|$)/],
]

/** Returns whether code uses a word as a name: it is called, declared, a member, or a variable of a shell. */
function isIdentifierAt(text: string, start: number, end: number): boolean {
  const [head, rest] = [text.slice(Math.max(0, start - 80), start), text.slice(end, end + 12)]
  return (
    rest.startsWith('(') ||
    BEFORE_MEMBER.test(head) ||
    DECLARATIONS.some(([before, behind]) => before.test(head) && behind.test(rest))
  )
}

const IN_WORD = /[A-Za-z0-9]/

/** Returns whether no letter or digit continues a value: `abcd1234` is no part of a longer hash. */
const isWhole = (text: string, start: number, end: number): boolean =>
  !(IN_WORD.test(text.charAt(end)) && IN_WORD.test(text.charAt(end - 1))) &&
  (!IN_WORD.test(text.charAt(start)) || !IN_WORD.test(text.charAt(start - 1)) || isTokenStart(text, start))
