import { oneLine } from '../../text/shorten.ts'

/** A number of two digits and more, or with a unit or a share behind it: of one digit alone, too many are counted. */
const NUMBER =
  /(?<![\w./:#@-])\d(?:[\d.,:]{0,20}\d)?(?:\s?(?:%|‰|[kKMGT]i?B|ms|min|px|em|rem|s|h|d)(?!\w))?(?![\w/@-])/g

/** How much of a sentence is shown around a number. */
const AROUND_CHARACTERS = 24
const MAX_NUMBERS = 40

interface FoundNumber {
  /** Its digits. */
  number: string
  /** With a few words around it. */
  text: string
}

/** Returns the numbers that a text of the user has. Numbers in names, paths and dates are none. The words around one end at the next. */
export function findNumbers(text: string): FoundNumber[] {
  const line = oneLine(text)
  const found: FoundNumber[] = []
  const matches = [...line.matchAll(NUMBER)].filter(([number]) => !/^\d$/.test(number)).slice(0, MAX_NUMBERS)
  let end = 0
  for (const [at, { 0: number, index }] of matches.entries()) {
    const before = line.slice(Math.max(end, index - AROUND_CHARACTERS), index)
    end = index + number.length
    const after = line.slice(end, Math.min(end + AROUND_CHARACTERS, matches[at + 1]?.index ?? Infinity))
    const [digits = number] = numbersIn(number)
    found.push({ number: digits, text: `${wholeWords(before, 'end')}${number}${wholeWords(after, 'start')}`.trim() })
  }
  return found
}

/** Returns a part of a line without the word that its edge divides, and only what is in the sentence of the number. */
function wholeWords(part: string, keeps: 'start' | 'end'): string {
  const isWhole = part.length < AROUND_CHARACTERS
  if (keeps === 'end') {
    const from = Math.max(
      isWhole ? 0 : part.indexOf(' '),
      ...[...part.matchAll(/[.!?] /g)].map(({ index }) => index + 1),
    )
    return part.slice(from)
  }
  const end = part.search(/[.!?](?: |$)/)
  return part
    .slice(0, end >= 0 ? end : isWhole ? undefined : Math.max(0, part.lastIndexOf(' ')))
    .replace(/[\s,;:]$/, '')
}

/** Returns the digits of the numbers in a text. */
export const numbersIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/\d(?:[\d.,:]{0,20}\d)?/g), ([number]) => number))
