import { decodePercent } from '../forms.ts'
import { canBeName, isNameAt } from './names.ts'
import { formsOf, inBase64, isUnmistakable, MIN_CHARACTERS } from './value-forms.ts'
import type { Secret } from '../rule.ts'
import { BASE64_RUN, endOfRun, isTokenStart } from '../scan.ts'

/** A value that a rule has found, with its kind. */
export type KnownValue = readonly [value: string, kind: string]

/** Of longer values, as much is compared; the characters of the secret behind it are replaced too. */
const MAX_CHARACTERS = 512

/** From this length on, a value is replaced inside words too. */
const CERTAIN_CHARACTERS = 20

/** The kind of a value in Base64, such as that of `user:password`: what stands around it belongs to it. */
const ENCODED = 'base64'

/** Of more values that end alike, the units before decide: a comparison with each at each place would be quadratic. */
const MAX_ALIKE = 16

/** Values that end alike. */
interface Alike {
  /** The longest one comes first: it replaces more. Of many, only those that have nothing more before that end. */
  values: KnownValue[]
  /** The others, by the unit before that end. */
  longer?: Map<string, Alike>
}

/**
 * Finds values that rules have found before, wherever they stand. One pass over a text, whatever the number of values:
 * their last eight units select the places where they are compared, and the search skips what cannot be one of them (Wu
 * and Manber, "A fast algorithm for multi-pattern searching", 1994).
 */
export class KnownValues {
  /** The values by their last eight units. */
  readonly #byEnd = new Map<string, Alike>()
  /** How far the next value's end is at least, by the last three units before here; undefined without values, as in most requests. */
  #shifts: Uint8Array | undefined
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
    for (const form of inBase64(value)) this.#add(form, ENCODED)
  }

  /** Forgets values that are names in these texts: an identifier of code, or a part of a path. */
  forgetNames(texts: () => Iterable<string>, paths: readonly string[]): void {
    const names = new Set(this.list().flatMap(([value]) => (canBeName(value) ? [value] : [])))
    if (names.size === 0) return
    for (const part of paths.flatMap((path) => path.split(/[/\\]/)))
      for (const name of [part, part.replace(/\.\w{1,8}$/, '')]) if (names.has(name)) this.#forget(name)
    for (const text of texts())
      for (const { start, end } of this.find(text)) {
        const value = text.slice(start, end)
        if (names.has(value) && isNameAt(text, start, end)) this.#forget(value)
      }
  }

  /** Returns the places of all values in a text, in the order of their ends. */
  find(text: string): Secret[] {
    const shifts = this.#shifts
    if (shifts === undefined) return []
    const found: Secret[] = []
    for (let last = MIN_CHARACTERS - 1; last < text.length;) {
      const shift = shifts[hashAt(text, last)] as number
      const value = shift === 0 ? this.#valueBefore(text, last + 1) : undefined
      if (value !== undefined) found.push(value)
      last += Math.max(1, shift)
    }
    return found
  }

  #valueBefore(text: string, end: number): Secret | undefined {
    for (const { values } of this.#alike(text, end).reverse())
      for (const [value, kind] of values) {
        const start = end - value.length
        if (start < 0 || !text.startsWith(value, start)) continue
        if (kind === ENCODED) return { ...runAround(text, start, end), kind }
        if (value.length === MAX_CHARACTERS) return { start, end: endOfRun(BASE64_RUN, text, end), kind }
        if (value.length >= CERTAIN_CHARACTERS || isWhole(text, start, end)) return { start, end, kind }
      }
    return undefined
  }

  /** Returns the values that end as a text does at a place: those with more units in common come last. */
  #alike(text: string, end: number): Alike[] {
    const found: Alike[] = []
    let next = this.#byEnd.get(text.slice(Math.max(0, end - MIN_CHARACTERS), end))
    for (let at = end - MIN_CHARACTERS - 1; next !== undefined; at--) {
      found.push(next)
      next = next.longer?.get(text.charAt(at))
    }
    return found
  }

  #add(form: string, kind: string): void {
    const value = form.slice(0, MAX_CHARACTERS)
    if (value.length < MIN_CHARACTERS || this.#known.has(value)) return
    const end = value.slice(-MIN_CHARACTERS)
    this.#known.set(value, kind)
    const alike = this.#alike(value, value.length)
    const last = alike.at(-1) ?? { values: [] }
    if (alike.length === 0) this.#byEnd.set(end, last)
    addTo(last, [value, kind], MIN_CHARACTERS + Math.max(0, alike.length - 1))
    const shifts = (this.#shifts ??= new Uint8Array(HASHES).fill(MAX_SHIFT))
    for (let last = BLOCK_UNITS - 1; last < MIN_CHARACTERS; last++) {
      const hash = hashAt(end, last)
      shifts[hash] = Math.min(shifts[hash] as number, MIN_CHARACTERS - 1 - last)
    }
  }

  #forget(value: string): void {
    if (!this.#known.delete(value)) return
    for (const alike of this.#alike(value, value.length)) alike.values = alike.values.filter(([one]) => one !== value)
  }
}

/** @param units how many units at their ends these values have in common */
function addTo(alike: Alike, added: KnownValue, units: number): void {
  const { longer } = alike
  const before = ([value]: KnownValue): string => value.charAt(value.length - units - 1)
  if (longer !== undefined && before(added) !== '') {
    longer.set(before(added), { values: [added] })
    return
  }
  alike.values = [...alike.values, added].sort(([a], [b]) => b.length - a.length)
  if (longer !== undefined || alike.values.length <= MAX_ALIKE) return
  const values = alike.values
  alike.values = values.filter((value) => before(value) === '')
  alike.longer = new Map()
  for (const value of values) {
    const child = alike.longer.get(before(value))
    if (child !== undefined) child.values.push(value)
    else if (before(value) !== '') alike.longer.set(before(value), { values: [value] })
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

const IN_WORD = /[A-Za-z0-9]/

/** Returns whether no letter or digit continues a value: `abcd1234` is no part of a longer hash. */
const isWhole = (text: string, start: number, end: number): boolean =>
  !(IN_WORD.test(text.charAt(end)) && IN_WORD.test(text.charAt(end - 1))) &&
  (!IN_WORD.test(text.charAt(start)) || !IN_WORD.test(text.charAt(start - 1)) || isTokenStart(text, start))

/** Returns the Base64 around a value in it. */
function runAround(text: string, start: number, end: number): { start: number; end: number } {
  const head = /[A-Za-z0-9+/_-]{0,400}$/.exec(text.slice(Math.max(0, start - 400), start))?.[0] ?? ''
  return { start: start - head.length, end: endOfRun(BASE64_RUN, text, end) }
}
