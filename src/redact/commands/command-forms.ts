import { escapePattern } from '../../text/escape-pattern.ts'
import { JUDGED_CHARACTERS } from '../rule.ts'
import type { Span } from '../scan.ts'
import { FORMS } from './commands.ts'
import { isPassword, isStrictPassword } from '../values/passwords.ts'

/** A part of a form: which words of a command it matches, and which part of them is secret. */
interface Element {
  isOption: boolean
  /** Matches a whole word, whose quotes are removed if nothing in it is secret. */
  word: RegExp
  isSecret: boolean
  /** All later words may match: `a=x b=y`. */
  isRepeated: boolean
  accepts: (value: string) => boolean
}

interface Form {
  elements: readonly Element[]
  /** Parts of its first word; without one of them, a text need not be read. */
  keys: readonly string[]
}

/** A command by its name, or by how its name begins. */
export interface SecretCommand {
  name: string
  isPrefix: boolean
  forms: readonly Form[]
}

/** The text before a secret in its word: `user:`, `user%`, `name=`. */
const SHAPES: Record<string, string> = {
  '_:': String.raw`[^\s:"']{0,100}:`,
  '_%': String.raw`[^\s%"']{1,60}%`,
  '_,': String.raw`[^\s,"']{1,60},`,
  '_=': String.raw`(?!(?:user(?:name)?|login|host|port|name)=)[\w./-]{1,100}=`,
  '_/': String.raw`[\w.$#-]{1,60}/`,
}

const SECRET = /^(?<prefix>.*?)(?<shape>_[:%,=/])?(?<sign>[*?])(?<host>@_)?$/

function readElement(source: string): Element {
  const { prefix = '', shape = '', sign, host } = SECRET.exec(source)?.groups ?? {}
  const words = source === '_' ? '.*' : source.split('|').map(literally).join('|')
  const value = host !== undefined ? '.*(?=@)' : shape === '_/' ? '[^@]+' : '.+'
  const secret = `${literally(prefix)}${QUOTE}${SHAPES[shape] ?? ''}${QUOTE}(?<secret>${value})`
  return {
    isOption: /^[-/]/.test(source),
    word: new RegExp(sign === undefined ? `^(?:${words})$` : `^${secret}`, 'ds'),
    isSecret: sign !== undefined,
    isRepeated: shape === '_=',
    accepts: sign === '?' ? isStrictPassword : isPassword,
  }
}

const QUOTE = String.raw`(?:\\{0,3}["'])?`

const literally = (word: string): string => word.split('...').map(escapePattern).join('.*')

export const SECRET_COMMANDS: readonly SecretCommand[] = Object.entries(FORMS).flatMap(([names, sources]) => {
  const forms = sources.map((source) => ({ elements: source.split(' ').map(readElement), keys: keysOf(source) }))
  return names.split(' ').map((name) => ({ name: name.replace(/\*$/, ''), isPrefix: name.endsWith('*'), forms }))
})

/** Returns the longest part of each word that can be the first one of a form. */
function keysOf(source: string): string[] {
  const words = source.split(' ', 1).join('').split('|')
  return words.map((word) => {
    const [literal = ''] = word.split(/[*?]/, 1)
    const parts = literal.replace(/_[:%,=/]?$/, '').split('...')
    return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
  })
}

/** A secret in one of the words of a command; offsets in the word. */
interface SecretInWord extends Span {
  word: number
}

interface At {
  element: number
  word: number
  /** The word before is an option: its value follows at once. */
  isValue: boolean
}

/** Returns the secrets that a form finds among the words behind the name of a command. */
export const secretsByForm = ({ elements }: Form, words: readonly string[]): SecretInWord[] =>
  secretsFrom(elements, words, { element: 0, word: 0, isValue: false })

function secretsFrom(form: readonly Element[], words: readonly string[], at: At): SecretInWord[] {
  const element = form[at.element]
  if (element === undefined) return []
  const { isSecret, isOption, isRepeated } = element
  // Options and the first word of a form may stand anywhere.
  const isAnywhere =
    isOption || (!isSecret && at.element === 0 && form.length > 1 && !isAny(element)) || (isRepeated && !at.isValue)
  const candidates = isAnywhere ? [...words.keys()].slice(at.word) : [nextWord(words, at)]
  return candidates.flatMap((word) => {
    const raw = words[word]
    if (raw === undefined) return []
    if (isSecret) return secretIn(element, raw, word)
    const next = form[at.element + 1]
    const sign = raw.indexOf('=')
    // `--body=x`
    if (isOption && sign > 0 && next?.isSecret === true && element.word.test(raw.slice(0, sign)))
      return secretIn(next, raw.slice(sign + 1), word).map((secret) => ({
        ...secret,
        start: secret.start + sign + 1,
        end: secret.end + sign + 1,
      }))
    return element.word.test(withoutQuotes(raw))
      ? secretsFrom(form, words, { element: at.element + 1, word: word + 1, isValue: isOption })
      : []
  })
}

const isAny = ({ word }: Element): boolean => word.test('\0')

/** Returns the number of the next word that is no option. */
function nextWord(words: readonly string[], { word, isValue }: At): number {
  let next = word
  while (!isValue && /^-./.test(words[next] ?? '')) next += 1
  return next
}

const withoutQuotes = (raw: string): string => raw.replace(/^\\{0,3}["']/, '').replace(/\\{0,3}["']$/, '')

function secretIn({ word: pattern, accepts }: Element, raw: string, word: number): SecretInWord[] {
  const [start, end] = pattern.exec(raw)?.indices?.groups?.['secret'] ?? []
  if (start === undefined || end === undefined) return []
  const value = trim(raw.slice(start, end))
  return accepts(value.slice(0, JUDGED_CHARACTERS)) ? [{ word, start, end: start + value.length }] : []
}

/** Removes a quote, and the brackets and marks of the text around a command. */
function trim(value: string): string {
  const unquoted = value.replace(/\\{0,3}["']$/, '')
  if (unquoted !== value) return unquoted
  const bare = value.replace(/(?:\*{1,2}|,)$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? bare.replace(/\){1,3}$/, '') : bare
}
