import { isNumberedWords } from '../values/chosen-words.ts'
import { isCertainPassword, isNearPassword, isNearToken } from '../values/passwords.ts'
import type { Rule, Secret } from '../rule.ts'
import { endAt, lineIn } from '../scan.ts'

/** Words for a password or for a user with his password; not inside a longer word. */
const PASSWORD_NOUNS =
  'password|passphrase|passcode|passwd|pwd|access code|entry code|door code|passwort|passwörter|kennwort|kennwörter|' +
  "zugangscode|wachtwoord|lösenord|adgangskode|mot de passe|mots de passe|code d'accès|contraseña|clave|senha|palavra-passe|" +
  'parola|hasło|heslo|salasana|şifre|jelszó|passord|parolă|парол|密码|密碼|口令|パスワード|비밀번호|credentials|creds|zugangsdaten|anmeldedaten|identifiants|credenciales|' +
  'credenziali|credenciais|inloggegevens|учётные данные|учетные данные|' +
  'log in with|log in as|log in using|logs in with|logs in as|logged in with|login with|login as|login:|sign in with|' +
  'sign in as|sign in using|signs in with|authenticate with|authenticates with|connect as|connects as|unlock with|' +
  'unlocks with|anmelden mit|melde dich mit|anmeldung geht mit|meldet sich mit|einloggen mit'

const TOKEN_NOUNS =
  "api key|api-key|secret|access key|this key|token|api-schlüssel|clé api|clé d'api|clave api|clave de api|chiave api|" +
  'chave api|chave da api|jeton|ключ|токен'

/** The word goes on with an ending, and no name begins with it: `passwords`, `password's`, `пароля`. */
const BEHIND_NOUN =
  /(?<=[^\u0000-\u2fff])|(?:['’]?s|es|er|[а-яё]{1,3})?(?![\p{L}\p{N}_(=.\\$[-]|["'`]?\]?\s?=|["'`]\s?:)/uy

/** Before a noun, what makes it the end of a name. */
const IN_NAME = /[\w$.@/-]/

/** How far from the word a value is searched. */
const NEAR_CHARACTERS = 80
const LEAST_CHARACTERS = 8
const MAX_CHARACTERS = 100

/** A run of characters of a value; letters of other scripts stand beside values without a blank. */
const VALUE = /[!#-&*+\-./\d:=?@A-Z\\^_a-z~\u00c0-\u017f]{8,101}/g

/** Most of these words stand where no value follows. */
const BEGINNING = /[\d-]/

/** Between a word and a value, what only code has. */
const CODE = /[={}<>\\|]|[\w)\]][([]|\]|[)"'`];|::|["'`],|\?\.|\bfunction\b|\breturn\b|\bexpect|\bassert/u

/** Before a value, what says that it is something else; before words with a number, also that they name a place. */
const OTHER_NOUN =
  /(?:commit|sha|hash|hashes|digest|checksum|revision|version|file|files|folder|branch|uuid|id|ids|algorithm|url|host|hostname|server|user|username|utilisateur|usuario|benutzer|account|service|container|pod|bucket|instance|issue|ticket|port|email|e-mail|see|since|until|line|release|rev|ref)(?: name)?[:#]? ?["'`“„«*(]{0,2}$/iu
const PLACE =
  /(?:^| )(?:for|of|on|in|at|by|via|under|inside|like|für|von|auf|bei|an|im|pour|sur|dans|para|del|en|per|su|nel|no|na|do|da|для|от|в|на)(?: (?:the|a|an|das|den|der|die|le|la|el|il|o|os))? ["'`“„«*(]{0,2}$/iu

interface Kind {
  kind: string
  accepts: (value: string) => boolean
}

/**
 * Returns a rule for values that stand near a word, on its line and before the next such word; or alone below it, where
 * the line ends with a colon.
 */
function nearRule(nouns: string, kind: Kind): Rule {
  const noun = new RegExp(nouns, 'iy')
  const nextNoun = new RegExp(`(?<!${IN_NAME.source})(?:${nouns})`, 'i')
  const find = (text: string, at: number): readonly Secret[] => {
    const near = text.slice(at, at + NEAR_CHARACTERS + MAX_CHARACTERS)
    if (near.search(BEGINNING) < 0) return []
    if (isAscii(text.charAt(at)) && /[\w$.@/\\-]/.test(text.charAt(at - 1))) return []
    const nounEnd = endAt(noun, text, at)
    const start = nounEnd === undefined ? undefined : endAt(BEHIND_NOUN, text, nounEnd)
    if (start === undefined) return []
    // Languages without blanks may repeat the noun every few characters: each one ends what the last one has.
    const rest = upTo(text.slice(at, nounEnd), near.slice(start - at))
    if (rest.length < LEAST_CHARACTERS) return []
    const place = { ...kind, noun, start }
    const values = ENDS_WITH_COLON.test(lineIn(rest)) ? undefined : [...valuesOn(lineIn(rest), place)]
    // Most lines have no such value: the next noun need not be searched.
    if (values?.length === 0) return []
    const next = nextNoun.exec(rest)?.index
    if (values !== undefined && next === undefined) return values
    const part = rest.slice(0, next)
    const line = lineIn(part)
    return ENDS_WITH_COLON.test(line) ? valueBelow(part, line.length, place) : [...valuesOn(line, place)]
  }
  return { hints: nouns.split('|'), isAnyCase: true, find }
}

/** Returns a text up to a noun, if one stands in it. */
function upTo(noun: string, text: string): string {
  const at = text.indexOf(noun)
  return at < 0 || (isAscii(noun) && IN_NAME.test(text.charAt(at - 1))) ? text : text.slice(0, at)
}

/** Other letters need no look at the sign before: nothing joins them to Latin ones. */
const isAscii = (text: string): boolean => text < '\u0080'

const ENDS_WITH_COLON = /[:：][*_ \t\r]{0,6}$/

/** Every value has a digit or a mark between its words, or is a long run of letters: most words need no further look. */
const LIKELY = /[\d\-_.+]|[a-z]{12}/

/** Percent-encoded text is searched as it reads. */
const PERCENT_CODE = /%[\dA-F]{2}(?!\d{1,4}\W*$)/

interface Place extends Kind {
  noun: RegExp
  /** Where the searched part begins in the text. */
  start: number
}

function* valuesOn(line: string, { kind, accepts, noun, start }: Place): Generator<Secret> {
  for (const { 0: run, index } of line.matchAll(VALUE)) {
    // What stands behind the next noun is found there.
    if (index > NEAR_CHARACTERS || endAt(noun, run, 0) !== undefined) break
    if (!LIKELY.test(run) || PERCENT_CODE.test(run)) continue
    const before = line.slice(0, index)
    if (CODE.test(before)) break
    const value = valueIn(run)
    if (!accepts(value) || /^["'`]?[(=[]/.test(line.slice(index + run.length)) || OTHER_NOUN.test(before)) continue
    if (isNumberedWords(value) && PLACE.test(before)) continue
    const from = start + index + run.indexOf(value)
    yield { start: from, end: from + value.length, kind }
  }
}

/** A line that is a value and nothing else, behind empty lines and the opening of a fence. */
const ALONE_BELOW =
  /^(?:[ \t]{0,8}(?:```\w{0,10}|~~~\w{0,10})?[ \t]{0,8}\r?\n){1,4}[ \t>*-]{0,8}["'`]{0,3}(?<value>[^\s"'`]{8,100})["'`]{0,3}[ \t]{0,8}(?:\r?\n|$)/

function valueBelow(part: string, from: number, { kind, accepts, start }: Place): Secret[] {
  const value = ALONE_BELOW.exec(part.slice(from))?.groups?.['value']
  if (value === undefined || !(accepts(value) || isCertainPassword(value))) return []
  const at = start + part.indexOf(value, from)
  return [{ start: at, end: at + value.length, kind }]
}

/** Returns the value of a run, without its user, and without the marks of a sentence and of Markdown. */
function valueIn(run: string): string {
  const marks = /^(?:\*{1,3}|_{1,3})(?=\w)/.exec(run)?.[0] ?? ''
  const bare = run.slice(marks.length)
  const closed = marks !== '' && bare.includes(marks) ? bare.slice(0, bare.lastIndexOf(marks)) : bare
  const trimmed = closed.replace(/(?<=\w[!*?]?)[.:?,…]{1,3}$|(?<![\d!*?])[!*?]{1,3}$/, '')
  return /^[\w.+-]{1,40}(?:@[\w.-]{1,60})?[:/](?!\/)(?<value>[^/]{8,100})$/.exec(trimmed)?.groups?.['value'] ?? trimmed
}

/** Rules for values near the word for them, whatever the sentence: the last ones, since they know the least. */
export const NEAR_RULES: readonly Rule[] = [
  nearRule(PASSWORD_NOUNS, { kind: 'password', accepts: isNearPassword }),
  nearRule(TOKEN_NOUNS, { kind: 'secret', accepts: isNearToken }),
]
