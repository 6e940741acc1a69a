import { isChosen } from './chosen-words.ts'
import { isPassword, isStrictPassword } from './password-values.ts'
import { isMixed, isRandom, isSigned } from './secret-values.ts'

/** In a sentence, only what no word looks like is a password: it has letters and digits, in no name of an algorithm. */
export const isProsePassword = (value: string): boolean =>
  isChosen(value) ||
  (isPassword(value) &&
    isMixed(value) &&
    !TECHNICAL.test(value) &&
    /[^-\w]|\d[^\d]*[A-Za-z]|^[^A-Z]{0,120}[A-Z].{0,120}\d/.test(value))

const TECHNICAL =
  /^(?:base|sha|md|bcrypt|scrypt|argon|pbkdf|utf|aes|rsa|v|http|oauth)[-_]?\d|\(|^\d+(?:[-x.:]\d*|[a-z]{1,10})$/i

/** Returns whether a value is a password at a place where any word may stand: it looks random, or has a sign. */
export const isCertainPassword = (value: string): boolean =>
  isProsePassword(value) &&
  (isSigned(value) ||
    isChosen(value) ||
    (isStrictPassword(value) && isRandom(value) && value.replaceAll(/[^A-Za-z]/g, '').length >= 4))

export const OPENING_QUOTE = '(?:\\\\{0,3}["\'`“*]|«[ \u00a0]?)'
export const WORD_VALUE = `(?<quote>${OPENING_QUOTE}{0,3})(?<secret>[^\\s"'\`“”«»,;<>()|*。，；、！（）「」]{6,200}?(?:(?<=\\d)[!?*])?)(?=[.,;:!?)*]{0,3}(?:["'\`“”«»,;<>()|\\s。，；、！（）「」]|$|\\\\))`
