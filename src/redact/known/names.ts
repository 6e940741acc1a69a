import { isSpeakable } from '../values/chosen-words.ts'

/** Returns whether a value can be a name: most of its letters are words. What looks random is no name, wherever it stands. */
export function canBeName(value: string): boolean {
  const letters = value.replaceAll(/[\P{L}]/gu, '')
  const words = value.match(/\p{Lu}?\p{Ll}{2,}|\p{Lu}{3,}/gu)?.filter(isSpeakable) ?? []
  return words.join('').length >= WORDS_SHARE * letters.length && (value.match(/\d+/g) ?? []).length <= MOST_NUMBERS
}

const WORDS_SHARE = 0.7
const MOST_NUMBERS = 2

/** Before a member, or a variable of a shell. */
const BEFORE_MEMBER = /(?:[\w)\]]\??\.|::|->|\$\{?)$/

/** The text before a name that code declares, and behind it: in a sentence, the same words are followed by others. */
const DECLARATIONS: readonly [before: RegExp, behind: RegExp][] = [
  [/\b(?:const|let|var) $/, /^\s?[=:;]/],
  [/\b(?:class|interface|struct|enum|type) $/, /^(?:\s?[={<]| (?:extends|implements|struct|interface)\b)/],
  [/\b(?:class|def|function|func|fn|new) $/, /^[:<\n]/],
  [/(?:^|\n)import (?:\{ ?)?$|\bfrom [\w.]{1,60} import $/, /^(?:\s?[;,}.\n]| (?:from|as)\b|$)/],
]

/** Before a part of a path, and before its first part; an address has `://` at this place. */
const FOLDERS = String.raw`(?:^|[\s"'${'`'}(=,])(?:~/|\.{0,2}/|[A-Za-z]:/)?`
const BEFORE_PART = new RegExp(String.raw`${FOLDERS}(?:[\w.@+-]{1,40}/){1,8}$`)
const BEFORE_FIRST_PART = new RegExp(`${FOLDERS}$`)

/** Before the value of a setting that is a name, and of a command that works with one. */
const BEFORE_NAME =
  /(?:name|user|db|database|schema|project|app|image|dir|bucket|namespace)(?:\\{0,3}["'])?\s?[=:]\s?(?:\\{0,3}["'])?$|\b(?:cd|mkdir(?: -p)?|package|namespace|module) $/i

/** Returns whether a word is a part of a path: something follows it there, or several folders stand before it. */
function isInPath(head: string, rest: string): boolean {
  if (/^\/[\w.@-]{1,30}(?:\/|\.[a-z])|^\.[a-z]{1,4}\d?\b/.test(rest))
    return BEFORE_PART.test(head) || BEFORE_FIRST_PART.test(head)
  return /^(?:[\s"'`),:]|$)/.test(rest) && /\/[^/]+\/$/.test(head) && BEFORE_PART.test(head)
}

/** Returns whether a word is a name: code calls or declares it, or it is a member, a variable, or a part of a path. */
export function isNameAt(text: string, start: number, end: number): boolean {
  const [head, rest] = [text.slice(Math.max(0, start - 80), start), text.slice(end, end + 40)]
  return (
    rest.startsWith('(') ||
    BEFORE_MEMBER.test(head) ||
    BEFORE_NAME.test(head) ||
    isInPath(head, rest) ||
    DECLARATIONS.some(([before, behind]) => before.test(head) && behind.test(rest))
  )
}
