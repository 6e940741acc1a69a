/** Returns whether a value is a variable, a mask or a word that documentation writes in place of a secret. */
export function isPlaceholder(value: string): boolean {
  return VARIABLE.test(value) || MASK.test(value) || WORD.test(value) || NAMED.test(value) || PHRASE.test(value)
}

const VARIABLE =
  /^(?:[$#%@]?\{.*\}|<.*>|<%.*|\$\$?[A-Z_][A-Z0-9_]*|\$[A-Za-z_]+|\$\d|%[A-Za-z_]+%|%\(?\w{0,30}\)?[sdvq]|@[A-Za-z_]+@?|:['"]?[A-Za-z_]+['"]?|\[[\w\s:-]*\]|\[?redacted:.*)$|\$\{\w|\{\{|\$\(/

/** Also the ends of a key that was shortened: `sk-...`. */
const MASK = /[*•●#]{3}|x{4}|X{4}|\.{3}$|…|^[-_.=x?]+$/

/** A word and the word `password`, or `secret` with words: names of fields and of classes, and values of tests. */
const NAMED =
  /^(?:[a-z]{0,8}[-_. ]?passw(?:or)?d(?:[-_. ]?[a-z]{1,8}){0,2}|(?:[a-z]{1,5}-)?secret(?:[-_. ](?:[a-z]{1,10}|\d)){0,4}\d?)$/i

const WORD =
  /^(?:null|nil|none|undefined|true|false|yes|no|string|number|boolean|bool|str|any|unknown|never|void|bytes|buffer|object|text|varchar|required|optional|enabled|disabled|inherit|include|same-origin|omit|hidden|masked|removed|empty|unset|default|todo|change[-_ ]?(?:me|it|this)\d{0,3}!?|p(?:ass)?w(?:or)?d\d?|passwd|passwort|contraseña|passphrase|pass|secret(?:str)?|token|key|api[-_ ]?key|credentials?|bearer|basic|value|test|uint8array|optional\[str\]|option<string>)$/i

const PHRASE =
  /^(?:(?:your|insert|enter|replace|example|sample|dummy|fake|mock|placeholder|redacted)(?:[-_. ][a-z_. -]*|(?:pass(?:word)?|secret|token|(?:api[-_]?)?key)[a-z_. -]*)?\d{0,3}|(?:my|the|some|test|a)[-_. ][a-z_. -]*\d{0,3}|.*[-_ ]here|.*your[-_ ].*)$/i

/** Returns whether a value has letters and digits. */
export const isMixed = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value)

/** Returns whether a value is an absolute path. */
export const isPath = (value: string): boolean => /^(?:~|\.{0,2})\/|^[A-Za-z]:[\\/]|:\/\//.test(value)

/** Returns whether a value is words with numbers between them: `user-profile-v2`, `src/utils/base64`, `a.b.token1`. */
export function isWordy(value: string): boolean {
  const parts = value.split(/[^A-Za-z0-9]/).filter((part) => part !== '')
  return (
    value.length > Math.max(...parts.map(({ length }) => length), 0) && parts.every(isNumberedWord) && !isRandom(value)
  )
}

const isNumberedWord = (part: string): boolean => /^[A-Za-z]{0,40}\d{0,8}[A-Za-z]{0,8}\d{0,3}$/.test(part)

/** The share of neighbours of different kinds from which a value looks random. Names in camel case have about 0.2. */
const RANDOM_SHARE = 0.25

/** Letters alone look random from a higher share on. */
const RANDOM_LETTERS_SHARE = 0.35

/**
 * Returns whether a value looks random: lower case, upper case and digits follow each other often. In random Base64
 * the share of such places is 0.42, in hexadecimal 0.47; a capital that begins a word does not count.
 */
export function isRandom(value: string): boolean {
  const share = shareOfChanges(value)
  if (/\d/.test(value)) return share >= RANDOM_SHARE
  return share >= RANDOM_LETTERS_SHARE && value.replace(/[^A-Za-z]/g, '').length >= 16
}

/** Returns the share of neighbours of different kinds; a capital that begins a word does not count. */
export function shareOfChanges(value: string): number {
  let characters = 0
  let changes = 0
  let [last, beforeLast] = ['', '']
  for (const character of value.slice(0, 300)) {
    const kind = kindOf(character)
    if (kind !== '') characters += 1
    const isCapital = last === 'upper' && kind === 'lower' && beforeLast !== 'upper'
    if (kind !== '' && last !== '' && kind !== last && !isCapital) changes += 1
    ;[last, beforeLast] = [kind, last]
  }
  return changes / Math.max(1, characters - 1)
}

function kindOf(character: string): string {
  if (character >= 'a' && character <= 'z') return 'lower'
  if (character >= 'A' && character <= 'Z') return 'upper'
  return character >= '0' && character <= '9' ? 'digit' : ''
}

/** Returns whether a value is the Base64 of `user:password` (RFC 7617). */
export function isBasicCredentials(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{6,4000}={0,2}$/.test(value)) return false
  return /^[\x20-\x7e]{0,2000}:[\x20-\x7e]{0,2000}$/.test(Buffer.from(value, 'base64').toString('latin1'))
}
