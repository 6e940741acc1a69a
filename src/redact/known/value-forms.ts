import { parseJson } from '../../session/entry.ts'
import { isChosen } from '../values/chosen-words.ts'
import { isPath, isPlaceholder, isRandom, isRandomLetters, shareOfChanges } from '../values/secret-values.ts'

/** Shorter values may stand anywhere by accident. */
export const MIN_CHARACTERS = 8

/** Words, with or without a mark between them, or numbers: these may mean something else at another place. */
const WORDS =
  /^(?:[\p{L}\p{M}]+(?:[-_./:@+ ][\p{L}\p{M}]+){0,1}|[\p{L}\p{M}]+(?:[-_./:@+][\p{L}\p{M}]+)*|[\p{N}\p{P}\p{S}\s]+)$/u
const LONG_WORD = /^[a-z]{21,}$/
const MAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/

/** Returns whether a value means the same secret wherever it stands: it is no word, number, path or address. */
export function isUnmistakable(value: string): boolean {
  if (value.length < MIN_CHARACTERS || isPlaceholder(value) || isPath(value) || MAIL.test(value)) return false
  return !WORDS.test(value) || LONG_WORD.test(value) || isRandom(value) || isRandomWord(value) || isChosen(value)
}

/** Letters alone are no word where capitals follow no word, or no vowel is among many. */
const isRandomWord = (value: string): boolean =>
  isRandomLetters(value) || (/^[A-Za-z]+$/.test(value) && shareOfChanges(value) >= RANDOM_WORD_SHARE)

const RANDOM_WORD_SHARE = 0.4

/** Returns a value as it was found, without the escapes of JSON and of addresses, and with those and the ones of HTML. */
export function formsOf(value: string): Set<string> {
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

const unescape = (value: string): string => (parseJson(`"${value}"`) as string | undefined) ?? value

/** Half a surrogate pair has no percent encoding. */
const encode = (value: string): string => (/\p{Cs}/u.test(value) ? value : encodeURIComponent(value))

/**
 * Returns what the Base64 (RFC 4648) of any text with a value in it has: three forms, since the number of bytes before
 * the value decides. Its first and last signs also depend on what stands around it.
 */
export const inBase64 = (value: string): string[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + value)
    return bytes.toString('base64').slice(before === 0 ? 0 : before + 1, Math.floor((bytes.length * 4) / 3))
  })
