/** Words, in lower case, with the same mark between them. */
export const MARKED_WORDS = /^[a-z]{3,14}(?<mark>[-_.+])[a-z]{3,14}(?:\k<mark>[a-z]{3,14}){2,7}$/

/** Words of programs, by which names of resources, fields and messages are told from words that people choose. */
const PROGRAM_WORDS = new Set(
  (
    'access account action active admin agent alert all and any api app apps application arn auth authentication aws azure ' +
    'backend backup base bearer bot bucket build button cache cert certificate change check class client cloud cluster code ' +
    'column config configuration confirm container content control cookie create creds credential credentials cron current data ' +
    'database db debug default delete demo deploy deployment dev dialog docker does domain element email enable enabled encryption ' +
    'endpoint entry env error event example external field file filter for form from frontend function generator get gateway ' +
    'github gitlab google group handler has header help here hidden host html http https icon image index info infra ' +
    'ingress input instance internal invalid item job json jwt key keys kube label last layout length link linux list local log ' +
    'login logout main manager master max menu message method missing min mode model module mongo my mysql name namespace new next ' +
    'node none not oauth object one only open option options page panel param parameter parser pass passphrase password path ' +
    'pattern permission php place placeholder plugin pod policy pool port postgres prefix prod production profile project prop ' +
    'provider proxy public push query queue read reader redis refresh registry remote request required reset resource response ' +
    'role root route router rule runner same save schema scope screen script search secret secrets section select server service ' +
    'session set setting settings setup show sign signature signing some source spec sso staging stage start state status stop ' +
    'storage store string style submit suffix super sync syntax system tab table tag target task template test tests text the ' +
    'theme this title tls token tokens tool tools type unknown update upload url use user username users utils valid value values ' +
    'variable vault version view web webhook website with without word worker workflow write your'
  ).split(' '),
)

/** Returns whether a word stands in names of programs. */
export const isProgramWord = (word: string): boolean => PROGRAM_WORDS.has(word.toLowerCase())

/** How often a word of a few letters has a vowel. */
const VOWELS = /[aeiouyäöüéèá]/gi

/** The share of vowels that words have at least. */
const VOWEL_SHARE = 0.2

/** Letters that words of no language have, or that follow each other in none. */
const ODD_LETTERS =
  /[bcdfghjklmnpqrstvwxz]{5}|q[^u]|[bcdfgjkpqvwxz]x|[jvwxz][bcdfgjkmpqvwxz]|[bcdfghjkmpqvwxz]j|[fgjkmpqvwxz]z|aa[aeiou]|uu|iy/g

/** Returns whether letters can be spoken as a word, or are one of a program: three random letters often can. */
export const isSpeakable = (word: string): boolean =>
  isProgramWord(word) ||
  (word.length > 3 &&
    (word.match(VOWELS)?.length ?? 0) >= VOWEL_SHARE * word.length &&
    word.toLowerCase().match(ODD_LETTERS) === null)

/**
 * Returns whether a value is four or more words that mean nothing together, as people choose them for a passphrase
 * (`basil-ember-yonder-zephyr`), or lower-case letters in no order.
 */
export function isChosen(value: string): boolean {
  if (value.length < 12) return false
  if (MARKED_WORDS.test(value)) {
    const words = value.split(/[-_.+]/)
    return new Set(words).size === words.length && !words.some((word) => PROGRAM_WORDS.has(word))
  }
  if (!/^[a-z]{12,40}$/.test(value)) return false
  const odd = value.match(ODD_LETTERS)?.length ?? 0
  return odd >= 2 || (value.match(VOWELS)?.length ?? 0) / value.length < VOWEL_SHARE
}

/** Words with a number behind them, as people choose them: `Sommer.tigger5369`, `Pumpkin-Admin-6763`, `qwertz6536`. */
const WORDS_WITH_NUMBER = /^\p{L}{3,24}(?:[-_.]\p{L}{3,24}){0,3}(?:[-_.]?\d{3,6}\p{L}{0,3}|[-_.]\d{2,4}\p{L}{3,24})$/u

/** Products that carry a year, names of algorithms and encodings, and what is counted. */
const NAMED_NUMBER =
  /(?:^|[-_.])(?:office|visual|studio|sha|md|base|utf|aes|rsa|curve|iso|rfc|cve|http|oauth|bcrypt|hmac|pbkdf|ecdsa|latin|cp|win|port|step|line|page|part|issue|ticket|bug|pr|gh|id|no|week|year|release|build|test|latest|es|level|phase|java|python|php|node|chrome|firefox|ios|rhel|row|col|item|field|chapter|section|figure|table|appendix)[-_.]?\d+[a-z]{0,3}$|(?:windows|server|ubuntu|debian|user|version|error|centos|fedora|android|postgres|mysql|oracle|crypt|float|int|utf)[-_.]?\d+[a-z]{0,3}$/i

/** The same with two digits, or with a letter or a sign behind them: `hunter42`, `Ahorn1987k`, `walrus31+`, `I<3Otter57`. */
const WORDS_WITH_SHORT_NUMBER =
  /^(?:!|\p{L}{1,3}<\d)?\p{L}{3,40}(?:[-_.]\p{L}{2,24}){0,3}[-_.!#$%&*@+?]?\d{2,6}\p{L}{0,4}[!?%*+$#@&]{0,2}$/u

/** A number between two words: `walnut4821heron`. No name of an algorithm, a standard or a chip begins it. */
const NUMBER_BETWEEN =
  /^(?!(?:curve|crypt|latin|windows|python|float|double|uint|poly|argon|chacha|blake|keccak|rijndael|salsa|unicode|ascii|ansi|area|line|page|step|error|issue|ticket|build|release|version|test|user|item|node|port)\d)(?![\da-f]*$)\p{L}{4,24}\d{3,6}\p{L}{4,24}$/iu

/** Returns whether a value is words with a number, and not only words of programs. */
export const isNumberedWords = (value: string): boolean =>
  value.length >= 8 &&
  (WORDS_WITH_NUMBER.test(value) || NUMBER_BETWEEN.test(value)) &&
  /\p{Ll}{3}/u.test(value) &&
  !isOfProgram(value)

/**
 * A number before a word, between two, or behind two that begin with a capital: `4821heron`, `walnut-4821-heron`,
 * `Walnut-Heron-7`; or behind a word, before another in the other case: `walnut482.HERON`.
 */
const NUMBER_ANYWHERE =
  /^(?:(?!(?:sha|utf|rsa|aes|base|rfc|iso|cve)\d)(?:[a-z]{3,24}\d{2,4}[-_.!#+][A-Z]{3,24}|[A-Z]{3,24}\d{2,4}[-_.!#+][a-z]{3,24})|\d{4}[a-z]{5,24}|[a-z]{3,24}[-_]\d{3,5}[-_][a-z]{3,24}|[A-Z][a-z]{2,24}(?:-[A-Z][a-z]{2,24}){1,3}-\d{1,2})$/

/** What is counted, and what a number of an issue stands behind. */
const COUNTED =
  /^\d+(?:bytes?|items?|lines?|files?|times|pixels?|points?|characters?|iterations?|rounds?|seconds?|minutes?|hours?|days|users?|requests?|records?|rows|tokens?|samples?|words)$|^(?:fix|feat|feature|bug|bugfix|hotfix|chore|issue|task|story|jira|cve|rfc|iso|gh|pr|ticket|node|worker|shard|replica|pod|host|step|page|line|section|chapter)[-_]|^(?:aes|aria|camellia|chacha)[-_]\d/i

/** Returns whether a value is a number and words, none of which is of a program. */
const hasNumberAnywhere = (value: string): boolean =>
  value.length >= 9 &&
  NUMBER_ANYWHERE.test(value) &&
  !COUNTED.test(value) &&
  !(value.match(/[A-Za-z]+/g) ?? []).some(isProgramWord)

/** Returns whether a value is three words or more and a number, with the same mark between them, and no word of a program: `cedar-orchid-heron-7`. */
function isNumberedPhrase(value: string): boolean {
  const mark = /[-_.+]/.exec(value)?.[0]
  if (mark === undefined || !/\d$/.test(value)) return false
  const words = value.split(mark)
  const number = words.pop() ?? ''
  return (
    words.length >= 3 &&
    words.length <= 6 &&
    /^\d{1,3}$/.test(number) &&
    words.every((word) => /^[a-z]{3,14}$/.test(word) && !PROGRAM_WORDS.has(word))
  )
}

/** Digits that stand for letters inside a word: `Junip3r.4404`, `W4lnut#256`, `W4lnut_Heron`. */
const LETTERS_OF_DIGITS: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

const WITH_DIGITS_INSIDE =
  /^(?=[a-z\d]{6,24}[^a-z\d])[a-z]+(?:[013457][a-z]+){1,3}[013457]?(?:[-_.#@!$%&*+]\d{2,6}|[-_#@!$%&*+](?<second>[a-z]{4,14}))[!?*$]?$/i

/** Returns whether a value is a word, some letters of which are written as digits, and a number. */
function isWordOfDigits(value: string): boolean {
  const match = WITH_DIGITS_INSIDE.exec(value)
  if (match === null || isProgramWord(match.groups?.['second'] ?? '')) return false
  const word = /^[a-z\d]*/i.exec(value)?.[0] ?? ''
  const letters = word.replaceAll(/\d/g, (digit) => LETTERS_OF_DIGITS[digit] ?? digit)
  return letters.length >= 5 && isSpeakable(letters) && !isProgramWord(letters)
}

/** Returns whether a value is words with a number as people choose them, at a place that says that it is a password. */
export const isMemorable = (value: string): boolean =>
  isNumberedWords(value) ||
  isNumberedPhrase(value) ||
  hasNumberAnywhere(value) ||
  isWordOfDigits(value) ||
  (value.length >= 6 &&
    WORDS_WITH_SHORT_NUMBER.test(value) &&
    !/\.[a-z][a-z\d]{0,4}$/.test(value) &&
    !isMemberOfProgram(value) &&
    !isOfProgram(value))

/** Returns whether a value is a member of an object of a program: `settings.primary57`. */
export const isMemberOfProgram = (value: string): boolean =>
  isProgramWord(/^[a-z]+(?=\.[a-z]\w*$)/.exec(value)?.[0] ?? '')

/** Returns whether a value names something that carries a number, or has no word but those of programs. */
function isOfProgram(value: string): boolean {
  if (NAMED_NUMBER.test(value)) return true
  const words = value.replaceAll(/([a-z])([A-Z])/g, '$1-$2').match(/\p{L}+/gu) ?? []
  return words.every((word) => word.length < 3 || isProgramWord(word))
}
