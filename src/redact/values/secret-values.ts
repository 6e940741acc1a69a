import { decodeBase64, UUID_FORM } from '../scan.ts'
import { isOfWords } from './letter-pairs.ts'

/** Returns whether a value is a variable, a mask or a word that documentation writes in place of a secret. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(value)) && !isBraced(value)
}

/** Returns whether a value in braces looks random: no name of a field does. */
const isBraced = (value: string): boolean => /^\{[A-Za-z\d]{12,100}\}$/.test(value) && isMixed(value) && isRandom(value)

const VARIABLE =
  /^(?:[$#%@]?\{.*\}|<.*>|<%.*|\$\$?[A-Z_][A-Z0-9_]*|\$[A-Za-z_]+|\$\d|%[A-Za-z_]+%|%\(?\w{0,30}\)?[sdvq]|@[A-Za-z_]+@?|:['"]?[A-Za-z_]+['"]?|\[[\w\s:-]*\]|\[?redacted:.*)$|\$\{\w|\{\{|\$\(/

/** Also the ends of a key that was shortened: `sk-...`. */
const MASK = /([*•●#])\1\1|x{4}|X{4}|\.{3}$|…|^[-_.=x?]+$/

/** A word and the word `password`, or `secret` with words: names of fields and of classes, and values of tests. */
const NAMED =
  /^(?:[a-z]{0,8}[-_. ]?passw(?:or)?d(?:[-_. ]?[a-z]{1,8}){0,2}|(?:[a-z]{1,5}-)?secret(?:[-_. ](?:[a-z]{1,10}|\d)){0,4}\d?)$/i

const WORD =
  /^(?:null|nil|none|undefined|true|false|yes|no|string|number|boolean|bool|str|any|unknown|never|void|bytes|buffer|object|text|-?anonymous@?|varchar|required|optional|enabled|disabled|inherit|include|same-origin|omit|hidden|masked|removed|empty|unset|default!?|todo|change[-_ ]?(?:me|it|this)\d{0,3}!?|p(?:ass)?w(?:or)?d\d?|passwd|passwort|contraseña|kennwort|mot de passe|senha|palavra-passe|parola(?: d['’]ordine)?|wachtwoord|lösenord|adgangskode|passord|salasana|hasło|heslo|şifre|jelszó|passphrase|pass|secret(?:str)?|token|key|(?:api|secret|access|private)[-_ ]?key|credentials?|bearer|basic|value|test|uint8array|optional\[str\]|option<string>)$/i

const PHRASE =
  /^(?:(?:your|insert|enter|replace|example|sample|dummy|fake|mock|placeholder|redacted)(?:[-_. ][a-z_. -]*|(?:pass(?:word)?|secret|token|(?:api[-_]?)?key)[a-z_. -]*)?\d{0,3}|(?:my|the|some|test|a)[-_. ][a-z_. -]*\d{0,3}|.*[-_ ]here|.*your[-_ ].*)$/i

/** Texts that a program fills: `%s:%s`, `$user:$pass`. */
const FILLED = /^(?:(?:%[sdvqr]|%\(\w{1,30}\)[sd]|\{\w{0,30}\}|\$[A-Za-z_]\w{0,40})[-:/@ .,|+]{0,3}){2,10}$/

/** Letters of a pattern, any text in one, types of Python, options, rules of Laravel, and what SOPS and Vault have encrypted or keep. */
const CODE =
  /^\.\*|^ENC\[|^vault:[\w/.-]{1,200}#|^(?:required|nullable|sometimes|bail|string)\||\[\^?(?:a-z|A-Z|0-9)|^(?:list|dict|set|tuple|optional|union|sequence|iterable)[[(][A-Za-z]|^--[a-z]+(?:[-_][a-z]+)*$/i

const PLACEHOLDERS = [VARIABLE, MASK, WORD, NAMED, PHRASE, FILLED, CODE]

/** Returns whether a value has letters and digits. */
export const isMixed = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value)

/** Returns whether a value is an absolute path, or an address; one in 64 texts of Base64 begins with a slash too. */
export const isPath = (value: string): boolean =>
  /^(?:~|\.{0,2})\/|^[A-Za-z]:[\\/]|:\/\/|^arn:[\w-]{1,20}:/.test(value) && !isBase64(value)

/** Returns whether a value is a version, also with an epoch or a revision, as packages have it: `1:4.13+dfsg1-1`. */
export const isVersion = (value: string): boolean =>
  /^v?(?:\d{1,3}:)?\d{1,4}(?:\.\d{1,4}){1,4}(?:[-+~][\w.+~-]*)?$/.test(value)

/** Returns whether a value is an element or a part of a list, as code writes it: `auth[2]`, `pw[:-1]`, `config['vault']`. */
export const isElement = (value: string): boolean =>
  /^[A-Za-z_$][\w$.]*\[(?:-?\d{0,4}(?::-?\d{0,4})?|['"][\w-]*['"]?)\]?$/.test(value)

const isBase64 = (value: string): boolean =>
  /^\/(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9+/]{11,400}={0,2}$/.test(value) && /\d/.test(value) && isRandom(value)

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

/** Returns whether a short value has letters and digits in an order that no word with a number has. */
export const isShortRandom = (value: string): boolean =>
  /^[A-Za-z0-9]{6,9}$/.test(value) &&
  isMixed(value) &&
  shareOfChanges(value) >= (/[A-Z]/.test(value) && /[a-z]/.test(value) ? 0.3 : 0.45)

/** Returns whether letters alone follow each other as in no word: capitals between them, or many consonants. */
export function isRandomLetters(value: string): boolean {
  if (!/^[A-Za-z]{12,64}$/.test(value) || isOfWords(value)) return false
  const capitals = value.replace(/[a-z]/g, '').length / value.length
  const isUnspeakable = /[bcdfghj-np-tv-xz]{6}/i.test(value)
  if (capitals === 0) return isUnspeakable
  const share = shareOfChanges(value)
  return (
    (capitals < 0.7 && capitals > 0.3 && share >= 0.22) ||
    (capitals > 0.2 && share >= 0.24 && value.length >= 16) ||
    (capitals > 0.15 && isUnspeakable && !/[A-Z]{3}/.test(value))
  )
}

/** Returns whether a text with signs or blanks in it looks random: the keys of Django, generated passwords. */
export const isRandomText = (value: string): boolean =>
  value.length >= 12 &&
  !/[,;){]$|^[\w.$]{0,60}[A-Za-z]{3}\(|=>|::|->|[a-z]{3} [a-z]{3}/.test(value) &&
  value.replace(/[^\d!@#$%^&*?~]/g, '').length >= 2 &&
  /\d/.test(value) &&
  shareOfChanges(value, SIGNS) >= RANDOM_TEXT_SHARE

/** Signs that stand in no name, path or date. */
const SIGNS = '!@#$%^&*()+=?~<>[]{}|,;'

const RANDOM_TEXT_SHARE = 0.3

/** Returns whether a value is letters and digits with a sign that no name has: `Orange2943!`. */
export const isSigned = (value: string): boolean =>
  /^[A-Za-z0-9][^\s/=<>()[\]{}|,;:'"`]{7,40}$/.test(value) &&
  isMixed(value) &&
  /[!@#$%^&*?~]/.test(value) &&
  !/@[\w.-]+\.[A-Za-z]+$/.test(value)

/** Returns whether a value is random text with a sign that no address and no pattern of a file has: `X278~LH=Yya+eA`. */
export const isSignedText = (value: string): boolean =>
  /^[^\s"'`/\\,;<>(){}[\]]{12,40}$/.test(value) && /[!#~^%]/.test(value) && isRandomText(value)

/**
 * Returns the share of neighbours of different kinds; a capital that begins a word does not count.
 * @param signs what counts as a kind beside letters and digits
 */
export function shareOfChanges(value: string, signs = ''): number {
  let characters = 0
  let changes = 0
  let last = NONE
  let beforeLast = NONE
  for (let at = 0; at < value.length && at < 300; at++) {
    const kind = signs !== '' && signs.includes(value.charAt(at)) ? SIGN : kindOf(value.charCodeAt(at))
    if (kind !== NONE) characters += 1
    const isCapital = last === UPPER && kind === LOWER && beforeLast !== UPPER
    if (kind !== NONE && last !== NONE && kind !== last && !isCapital) changes += 1
    beforeLast = last
    last = kind
  }
  return changes / Math.max(1, characters - 1)
}

const [NONE, LOWER, UPPER, DIGIT, SIGN] = [0, 1, 2, 3, 4]

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  return code >= 48 && code <= 57 ? DIGIT : NONE
}

/** Returns whether a value can be a password at a place where only passwords stand. */
export const isNoPlaceholder = (value: string): boolean => !isPlaceholder(value) && !isPath(value)

/** Returns whether such a value has letters and digits. */
export const isMixedValue = (value: string): boolean => isNoPlaceholder(value) && isMixed(value)

/** Returns whether such a value is no words with numbers either. */
export const isMixedText = (value: string): boolean => isMixedValue(value) && !isWordy(value)

export const isUuid = (value: string): boolean => UUID_ONLY.test(value)

const UUID_ONLY = new RegExp(`^${UUID_FORM}$`, 'i')

/** Returns whether a value looks like a token: long, random, and no words with numbers. */
export const isToken = (value: string): boolean =>
  value.length >= 12 && !isPlaceholder(value) && isMixed(value) && isRandom(value) && !isWordy(value)

/** Returns whether a value is the Base64 of `user:password` (RFC 7617). */
export function isBasicCredentials(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{6,4000}={0,2}$/.test(value)) return false
  return /^[\x20-\x7e]{0,2000}:[\x20-\x7e]{0,2000}$/.test(decodeBase64(value))
}

/** Returns whether a value is a member of an object that is named for what it holds: `user1.password`, `random.pg16.result`. */
export const isMember = (value: string): boolean => MEMBER.test(value)

const MEMBER =
  /^[A-Za-z_$][\w$]*(?:\??(?:\.|->|::)[A-Za-z_$][\w$]*){0,19}(?:\.|->|::)\w*(?:password|passwd|pwd|secret|hash|token|key|result|string|value|text)[?!;]?$/i
