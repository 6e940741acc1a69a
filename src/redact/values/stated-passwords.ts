import { isProgramWord, MARKED_WORDS } from './chosen-words.ts'
import { isMeaningless } from './letter-pairs.ts'
import { isCertainPassword } from './passwords.ts'
import { isRandomLetters } from './secret-values.ts'

/** Words of programs that are names of things and deeds too: people choose them as they choose other words. */
const COMMON_WORDS = new Set(
  (
    'action agent alert app bot bucket build button cache change class client cloud code column content cookie dialog ' +
    'docker domain element event example field filter form gateway group handler header icon image index item job label ' +
    'layout length link list manager master menu message model module node object page panel path pattern plugin policy ' +
    'pool port process profile project proxy queue reader record registry resource response role route router rule runner ' +
    'scope screen script search section server service session sign signature source stage start state stop store string ' +
    'style system tab table tag target task template text theme title tool type user value vault version view web worker'
  ).split(' '),
)

/**
 * Returns whether a value is four words or more that people choose for a passphrase, one of which may be of programs too:
 * `harbor.kestrel.bucket.rocket`. Names of fields and resources have more of those, or none that is a thing.
 */
export function isPhrase(value: string): boolean {
  if (!MARKED_WORDS.test(value)) return false
  const words = value.split(/[-_.+]/)
  const ofPrograms = words.filter(isProgramWord)
  return (
    new Set(words).size === words.length && ofPrograms.length <= 1 && ofPrograms.every((word) => COMMON_WORDS.has(word))
  )
}

export const isCertainOrPhrase = (value: string): boolean => isCertainPassword(value) || isPhrase(value)

/** Such a word, or the name of a language, with a number that is no year: `bucket253`, `python7318`. */
const NUMBERED = /^(?<word>[A-Za-z]{4,14})[-_.!@#$%&*+]?(?!(?:19|20)\d\d(?!\d))\d{3,6}[!?*$]?$/

/** What programs count. */
const COUNTED =
  /^(?:error|field|item|label|node|page|part|port|rule|section|stage|step|string|task|test|user|version)$/i

const isNumberedWord = (value: string): boolean => {
  const word = NUMBERED.exec(value)?.groups?.['word']?.toLowerCase() ?? ''
  return (COMMON_WORDS.has(word) && !COUNTED.test(word)) || /^(?:python|java|oracle|ubuntu|debian|fedora)$/.test(word)
}

/** Letters in no order, with capitals among them, and with signs or not: `nESFiagbqZkv`, `nESF%iagb*qZkv`. */
function isGeneratedLetters(value: string): boolean {
  if (!/^(?=.*[a-z][A-Z])[A-Za-z][A-Za-z!#$%&*+?@^~]{11,63}$/.test(value)) return false
  const letters = value.replaceAll(/[^A-Za-z]/g, '')
  return letters === value
    ? /[a-z]{2}/.test(value) && isMeaningless(value)
    : isMeaningless(letters) || isRandomLetters(letters)
}

/** Returns whether a value is a password where a sentence or a setting states that it is one, and elsewhere may be a name. */
export const isStatedPassword = (value: string): boolean =>
  isPhrase(value) || isNumberedWord(value) || isGeneratedLetters(value)
