import { isChosen, isNumberedWords } from './chosen-words.ts'
import { isMixed, isPath, isPlaceholder, isSigned, isWordy } from './secret-values.ts'

/** A value of a command line: up to its quote or to a blank, as a part of a pattern. */
export const VALUE = String.raw`\\?["']?(?<secret>(?<=")[^"\n\\]{3,400}|(?<=')[^'\n\\]{3,400}|(?<!["'])[^\s"'${'`'}|;<>\\\u001b]{3,400})`

/** Words that follow the name of an option in a sentence: `the --password option`. */
const PROSE =
  /^(?:options?|flags?|arguments?|params?|parameters?|switch(?:es)?|values?|fields?|settings?|from|with|without|when|where|which|that|this|these|should|must|will|would|does|were|have|using|used|into|only|also|then|than|instead|here|there|either|both|because|since|before|after|needs?|requires?|supports?|accepts?|takes?|sets?|allows?|prompts?|defaults?|unless|until|while|during|depending|available|provided|specified|given|set|via)$/i

export const isProse = (value: string): boolean => PROSE.test(value)

/** Returns whether an argument at the place of a password can be one: options, ports and user ids are none. */
export const isPassword = (value: string): boolean =>
  value.length >= 3 && !isPlaceholder(value) && !isPath(value) && !PROSE.test(value) && !OTHER.test(value)

const OTHER = /^(?:-|\d{1,5}(?::\d{1,5}){0,2}$|[<>|&]|\d{1,5}:\d{1,5}(?:\/(?:tcp|udp))?$)/

/** Returns whether an argument is a password where other words stand too: it has letters and digits, or symbols. */
export const isStrictPassword = (value: string): boolean =>
  isChosen(value) ||
  isNumberedWords(value) ||
  (value.length >= 8 &&
    isPassword(value) &&
    isMixed(value) &&
    (isSigned(value) || !isWordy(value)) &&
    !/^(?:https?:|[\w.-]{2,60}@)|\.[a-z]\w{1,3}$/.test(value))
