import { isMeaningless } from './letter-pairs.ts'
import { isChosen, isMemorable, isNumberedWords, isMemberOfProgram } from './chosen-words.ts'
import {
  isElement,
  isMember,
  isMixed,
  isPath,
  isPlaceholder,
  isRandom,
  isSigned,
  isSignedText,
  isToken,
  isVersion,
  isWordy,
} from './secret-values.ts'

/** A value of a command line: up to its quote or to a blank, as a part of a pattern. */
export const VALUE = String.raw`\\?["']?(?<secret>(?<=")[^"\n\\]{3,400}|(?<=')[^'\n\\]{3,400}|(?<!["'])(?:[^\s"'${'`'}|;<>\\\u001b]|(?<=\w)<(?=\d)){3,400})`

/** Words that follow the name of an option in a sentence: `the --password option`. */
export const PROSE =
  /^(?:options?|flags?|arguments?|params?|parameters?|switch(?:es)?|values?|fields?|settings?|from|with|without|when|where|which|that|this|these|should|must|will|would|does|were|have|using|used|into|only|also|then|than|instead|here|there|either|both|because|since|before|after|needs?|requires?|supports?|accepts?|takes?|sets?|allows?|prompts?|defaults?|unless|until|while|during|depending|available|provided|specified|given|set|via)$/i

/** Returns whether an argument at the place of a password can be one: options, ports and user ids are none. */
export const isPassword = (value: string): boolean =>
  value.length >= 3 &&
  ![isPlaceholder, isPath, isVersion, isElement].some((isOther) => isOther(value)) &&
  !PROSE.test(value) &&
  !OTHER.test(value)

const OTHER = /^(?:-|\d{1,5}(?::\d{1,5}){0,2}$|[<>|&]|\d{1,5}:\d{1,5}(?:\/(?:tcp|udp))?$)/

/** Returns whether an argument is a password where other words stand too: it has letters and digits, or symbols. */
export const isStrictPassword = (value: string): boolean =>
  isChosen(value) ||
  (isMemorable(value) && isPassword(value)) ||
  (value.length >= 8 &&
    isPassword(value) &&
    isMixed(value) &&
    (isSigned(value) || isSignedText(value) || !isWordy(value)) &&
    !/^(?:https?:|[\w.-]{2,60}@[A-Za-z])|\.[a-z]\w{1,3}$/.test(value))

/** In a sentence, only what no word looks like is a password: it has letters and digits, in no name of an algorithm. */
export const isProsePassword = (value: string): boolean =>
  isChosen(value) ||
  (isMemorable(value) && isPassword(value) && !isMember(value)) ||
  (isPassword(value) &&
    isMixed(value) &&
    !TECHNICAL.test(value) &&
    !SIZE.test(value) &&
    !isMember(value) &&
    !isMemberOfProgram(value) &&
    (/[^-\w]|\d[^\d]*[A-Za-z]|^[^A-Z]{0,120}[A-Z].{0,120}\d/.test(value) || isMeaningless(value)))

const TECHNICAL = /^(?:base|sha|md|bcrypt|scrypt|argon|pbkdf|utf|aes|rsa|v|http|oauth)[-_]?\d|\(|^\d+[-x.:]\d*$/i

/** A number with its unit: capitals stand at the beginning of a word only, or in short units. */
const SIZE = /^\d+(?:[A-Za-z]{1,7}|[A-Z]?[a-z]{1,10}|[A-Z]{1,10})$/

/** Returns whether a value is a password at a place where any word may stand: it looks random, or has a sign. */
export const isCertainPassword = (value: string): boolean =>
  isProsePassword(value) &&
  (isSigned(value) ||
    isChosen(value) ||
    isMemorable(value) ||
    (isStrictPassword(value) &&
      (isRandom(value) || isMeaningless(value)) &&
      value.replaceAll(/[^A-Za-z]/g, '').length >= 4))

export const OPENING_QUOTE = '(?:\\\\{0,3}["\'`“*「『]|«[ \u00a0]?)'

/** Not in a long text without the signs that end a value: the lazy pattern below would try each length of it. */
const ENDS_SOON = '(?![^\\s"\'`“”«»,;<>()|。，；、！（）「」\\\\]{205})'

/** A value in a sentence, up to a blank, a quote or the mark that ends the sentence; a part of a pattern. */
export const WORD_VALUE = `(?<quote>${OPENING_QUOTE}{0,3})(?<secret>${ENDS_SOON}(?![A-Za-z_]{1,60}\\()(?:[^\\s"'\`“”«»,;<>()|*。，；、！（）「」]|(?<=\\w)<(?=\\d)|\\*(?<=[^\\s*]\\*)(?=[\\w^#%&!?~+=-])){6,200}?(?:(?<=\\d)[!?*])?)(?=[.,;:!?)*]{0,3}(?:["'\`“”«»,;<>()|\\s。，；、！（）「」]|$|\\\\))`

/** Names of resources with a hash behind them; file names, versions, dates, mail addresses, packages, sizes, hosts and hashes that name themselves. */
const OTHER_THING =
  /^[-:=@/.]|^[a-z]+(?:-[a-z\d]+){2,}$|\.[a-z][a-z\d]{0,4}$|^v?\d+(?:[.:x-]\w{0,9})+$|^[\d.,:x+-]+[a-z%]{0,4}$|@[\w.-]+\.[a-z]+$|@[\^~v]?\d{1,3}(?!\d)|^(?:sha\d*|md5|uuid|urn|npm|pkg|cve|rfc|iso|http|ssh|git)[-:@/]|[({]$|^[A-Z\d_-]+$|^[0-9a-f]{8}-[0-9a-f]{4}-|^\d{4}-\d{2}|IPv[46]|\\|&(?:amp|lt|gt|quot|nbsp|#)|%[0-9A-F]{2}(?!\d{1,4}$)/

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
