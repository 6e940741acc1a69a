import { isChosen, isNumberedWords } from './chosen-words.ts'
import { isStrictPassword } from './password-values.ts'
import { isMixed, isPath, isPlaceholder, isRandom, isSigned, isToken } from './secret-values.ts'

/** Names of resources with a hash behind them; file names, versions, dates, mail addresses, packages, sizes, hosts and hashes that name themselves. */
const OTHER_THING =
  /^[-:=@/.]|^[a-z]+(?:-[a-z\d]+){2,}$|\.[a-z][a-z\d]{0,4}$|^v?\d+(?:[.:x-]\w{0,9})+$|^[\d.,:x+-]+[a-z%]{0,4}$|@[\w.-]+\.[a-z]+$|@[\^~v]?\d|^(?:sha\d*|md5|uuid|urn|npm|pkg|cve|rfc|iso|http|ssh|git)[-:@/]|[({]$|^[A-Z\d_-]+$|^[0-9a-f]{8}-[0-9a-f]{4}-|^\d{4}-\d{2}|\\|&(?:amp|lt|gt|quot|nbsp|#)|%[0-9A-F]{2}/

const ALGORITHM = /^(?:argon2|bcrypt|scrypt|pbkdf2|sha\d|hmac|aes|ed25519|ecdsa|secp|x509|pkcs|base64|utf)/i

/** Returns whether a value can be a password near the word for one: it is no name, path, version, date or number. */
const isNearValue = (value: string): boolean =>
  value.length >= 8 &&
  value.length <= 100 &&
  !isPlaceholder(value) &&
  !isPath(value) &&
  !OTHER_THING.test(value) &&
  !ALGORITHM.test(value)

/** Returns whether a value looks chosen or generated. */
export const isNearPassword = (value: string): boolean =>
  isNearValue(value) &&
  (isChosen(value) ||
    isNumberedWords(value) ||
    (isSigned(value) && (/[!$%^&*?~]/.test(value) || /[a-z]{3}[@#]\d|\d[@#]/.test(value))) ||
    (isStrictPassword(value) && isRandom(value) && isMixed(value) && value.replaceAll(/[^A-Za-z]/g, '').length >= 3))

/** Returns whether a value looks generated. */
export const isNearToken = (value: string): boolean => isNearValue(value) && value.length >= 16 && isToken(value)
