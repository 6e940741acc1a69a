import type { NamedValue } from './assignment.ts'
import { isComputed, TEXTS } from './computed-values.ts'
import {
  CHOSEN_KEY,
  isOtherPass,
  isSecretName,
  PASSWORD_NAME,
  PIN_NAME,
  PUBLIC_KEY,
  SECRET_KEY,
  SECRET_NAME,
} from './name-kinds.ts'
import { isChosen, isMemorable, isNumberedWords } from '../values/chosen-words.ts'
import { isMeaningless } from '../values/letter-pairs.ts'
import { PROSE } from '../values/passwords.ts'
import { isPhrase } from '../values/stated-passwords.ts'
import {
  isMixed,
  isPath,
  isPlaceholder,
  isRandom,
  isRandomLetters,
  isRandomText,
  isShortRandom,
  isSigned,
  isToken,
  isUuid,
  isVersion,
  isWordy,
} from '../values/secret-values.ts'

/** A value that is text by its place, in a cell or a column, and of which nothing else is known. */
export const QUOTED_VALUE: Omit<NamedValue, 'name'> = { isQuoted: true, syntax: 'other' }

/** Returns the kind of secret that a value is by its name and its looks; undefined for other values. */
export function kindOfValue(value: string, assignment: NamedValue): string | undefined {
  const { name } = assignment
  if (isHarmless(value)) return undefined
  if (isOtherPass(name) || isSameName(value, name)) return undefined
  const isText = assignment.syntax === 'option' && (isRandomText(value) || BOOTSTRAP.test(value))
  if (!assignment.isQuoted && !isText && (isComputed(value, assignment) || /^\[[A-Za-z_-]+$/.test(value)))
    return undefined
  if (/pin(?:[-_]?(?:value|code))?\d?$/i.test(name)) return isPin(value, name) ? 'password' : undefined
  if (PASSWORD_NAME.test(name))
    return isPassword(value, assignment) && !isTestOfRun(value, assignment) ? 'password' : undefined
  if (/^key$/i.test(name)) return isBareKey(value, assignment) ? 'secret' : undefined
  if (!isSecretName(assignment)) return undefined
  if (AWS_SECRET.test(value) && isMixed(value) && /secret|key/i.test(name)) return 'aws-secret-key'
  return isSecret(value.replace(/^base64:/, ''), assignment) ? 'secret' : undefined
}

/** Returns whether a value is no secret, whatever its name. */
const isHarmless = (value: string): boolean =>
  value.length < 4 || isPlaceholder(value) || isPath(value) || isVersion(value)

/** Returns whether a value is its name in another spelling: `crc-16-buypass`, `Crc16Buypass`. */
const isSameName = (value: string, name: string): boolean => lettersOf(value) === lettersOf(name)

const lettersOf = (text: string): string => text.replaceAll(/[^A-Za-z\d]/g, '').toLowerCase()

/** The name of a test behind its outcome, as Go, Automake and DejaGnu print it: `--- PASS: TestUtf8Decode`, `PASS: a/b2.c`. */
const isTestOfRun = (value: string, { name, isQuoted, syntax }: NamedValue): boolean =>
  /^X?PASS$/.test(name) && !isQuoted && syntax !== 'shell' && /^[\w./:[\]=+-]*$/.test(value)

/** An AWS secret access key has no prefix: it is 40 characters of Base64 (docs.aws.amazon.com/IAM, "Access keys"). */
const AWS_SECRET = /^(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9/+]{40}$/

/** The pins of a board have names such as `GPIO17`, or `LED_PIN`; a version that is pinned is a date or a hash. */
const isPin = (value: string, name: string): boolean =>
  PIN_NAME.test(name) &&
  !/^(?:20\d{2}[01]\d[0-3]\d|[0-9a-f]{7,})$/.test(value.replace(/^\d{7}$/, '')) &&
  (/^\d{4,12}$/.test(value) || (/^[A-Za-z0-9]{6,12}$/.test(value) && /\d[A-Za-z]/.test(value)))

/** `Key: x` may be any name: what looks generated, or a word with a sign and a number, is a secret. */
const isBareKey = (value: string, { isQuoted }: NamedValue): boolean =>
  !isQuoted &&
  ((isSigned(value) && isMemorable(value)) || (/^(?=.*[a-z])(?=.*[A-Z])\w{12,64}$/.test(value) && isToken(value)))

/** Returns the kind of secret that a whole line is behind a name: signs that end other values belong to it. */
export function kindOfLine(value: string, { name }: NamedValue): string | undefined {
  if (!isRandomText(value) || isPlaceholder(value) || isPath(value) || PUBLIC_KEY.test(name)) return undefined
  return PASSWORD_NAME.test(name) ? 'password' : 'secret'
}

/** A text in quotes may be a word or some; every other password has letters and digits, unless its place is certain. */
function isPassword(value: string, assignment: NamedValue): boolean {
  const { name, isQuoted, syntax, isLine = false, isSetting = false } = assignment
  const isCall = syntax === 'call'
  const isStrong = isMixed(value) || (/[A-Za-z]/.test(value) && /[!@#$%^&*]/.test(value))
  if (/\s/.test(value)) return isQuoted && !isCall && !/^pass$/i.test(name) && isPassphrase(value, isStrong)
  if (isChosen(value) || isRandomLetters(value) || (!isCall && !isQuoted && isPhrase(value))) return true
  if (isCall)
    return (
      (isStrong &&
        (isSigned(value) || isRandomText(value) || !isWordy(value)) &&
        !TECHNICAL.test(value) &&
        !/^[A-Z_]{3,30}\d{0,3}[A-Z_]{0,30}$/.test(value)) ||
      isMemorable(value)
    )
  // `pass` is a verb too: its values are messages.
  if (isQuoted)
    return !/^[a-z]+(?:\.[a-z]+)+$/i.test(value) && !isLabel(value) && !(/^pass$/i.test(name) && /[^ -~]/.test(value))
  if (TEXTS.has(syntax)) return value.length >= 5
  if (syntax === 'option') return value.length >= 4 && (!value.startsWith('-') || isToken(value)) && !PROSE.test(value)
  if (/^pass$/i.test(name))
    return (
      (isLine && value.length >= 16 && (isRandom(value) || isRandomLetters(value.replaceAll(/[\d_-]/g, '')))) ||
      (isMixed(value) && value.length >= 6 && /^[A-Za-z]/.test(value) && !TECHNICAL.test(value)) ||
      (isMixed(value) && value.length >= 12 && /^[A-Za-z\d]*$/.test(value) && (isRandom(value) || isMeaningless(value)))
    )
  return (isStrong && !TECHNICAL.test(value)) || (isSetting && /^[A-Za-z]{6,100}$/.test(value))
}

/** A text in another script is a translation: people choose passwords that every keyboard has. */
const isLabel = (value: string): boolean => !/[A-Za-z\d]/.test(value) && /\p{L}/u.test(value)

/** Names of algorithms, encodings and programs: `sha256`, `mem2reg`. */
const TECHNICAL =
  /^(?:(?:sha|md|base|utf|argon|oauth|http|rc|u?int|float|v)-?\d{1,3}|[a-z]{1,8}[24][a-z]{1,3}|[a-z]{1,3}[24][a-z]{1,8}|x\d{2,3}v?\d?)$/i

/** Several words without a digit may be a label or a sentence; those of a passphrase are three or more in lower case. */
function isPassphrase(value: string, isStrong: boolean): boolean {
  if (value.startsWith('+') || value.endsWith('+') || value.length > 100 || /^\s|\s$/.test(value)) return false
  if (
    /[.?!:]$|mot de passe|contraseña|\b(?:pass\w*|senha|parola|wachtwoord|kennwort|your|enter|must|required|invalid|incorrect|wrong|the|is|are|for|and|or|to|at|with|not)\b/i.test(
      value,
    )
  )
    return false
  return isStrong || /^[a-zäöüß]+(?: [a-zäöüß]+){2,9}$/.test(value)
}

/** The name of a Secret of Kubernetes, with its hash. */
const RESOURCE = /^[a-z]+(?:-[a-z]+)+-[a-z0-9]{2,12}$/

/** No words of English, and few of programs, are as long without a capital. */
const LETTERS = /^[a-z]{18,64}$/

const PROGRAM_WORD = /token|secret|password|string|value|field|param|config|name|type|error|index/i

/** A secret of RFC 6238 (one-time passwords) is Base32. */
const BASE32 = /^(?=(?:[A-Z]{0,60}\d){3})[A-Z2-7]{16,128}={0,6}$/

/** A bootstrap token of Kubernetes. */
const BOOTSTRAP = /^(?=.{0,22}\d)[a-z0-9]{6}\.[a-z0-9]{16}$/

/** Every other secret looks random, or has letters and digits and an assignment that no prose has. */
function isSecret(value: string, { name, isQuoted, syntax, isLine = false, isSetting = false }: NamedValue): boolean {
  if (isUuid(value) || (syntax === 'option' && BOOTSTRAP.test(value))) return true
  if (/^secrets?$/i.test(name) && !isQuoted && RESOURCE.test(value)) return false
  const isCall = syntax === 'call'
  const isOfProgram = syntax === 'option' || syntax === 'shell' || isSetting
  const isCertain = (isQuoted && !isCall) || isOfProgram || TEXTS.has(syntax) || name.includes('-')
  const isTight = syntax === 'tight' || syntax === 'property'
  if (/[\s(]/.test(value)) return (isCertain || value.length >= 30) && isRandomText(value)
  if (BASE32.test(value) || isRandomLetters(value)) return isCertain || isCall || isTight
  if (/^[A-Za-z]{12,64}$/.test(value) && !PROGRAM_WORD.test(value) && isMeaningless(value)) return isCertain
  if ((isCertain || isCall) && (isSigned(value) || (isShortRandom(value) && !isCall))) return true
  if (isChosen(value) && (isCertain || isTight || isCall)) return !/keys?\d{0,2}$/i.test(name) || SECRET_KEY.test(name)
  const isChosenName = SECRET_NAME.test(name) || syntax === 'query'
  if ((isOfProgram && isNumberedWords(value)) || (isLine && isSigned(value) && isMemorable(value))) return true
  const isChosenKey = CHOSEN_KEY.test(name) && (isLine || isCertain || isTight || isCall)
  if ((isChosenKey || ((isCertain || isTight || isCall) && isChosenName)) && value.length >= 8 && isMemorable(value))
    return isQuoted || isOfProgram || !RESOURCE.test(value)
  if (isWordy(value) || /:v?\d{1,3}(?:\.\d{1,5}){1,3}$/.test(value)) return false
  if (isRandom(value)) return value.length >= 10
  if (isTight && isMixed(value) && value.length >= 16 && isMeaningless(value)) return true
  if (LETTERS.test(value) && !PROGRAM_WORD.test(value) && isMeaningless(value))
    return !isCall && (isQuoted || isOfProgram || isTight)
  return isCertain && isMixed(value) && value.length >= 12 && (SECRET_KEY.test(name) || !/key$/i.test(name))
}
