import { oneLine, shorten } from '../text/shorten.ts'

/** An item at the first level of a list, and a fence. */
const ITEM = /^ {0,3}(?:[-*+•]|\d{1,2}[.)])\s+(\S.*)$/
const FENCE = /^\s{0,8}(?:```|~~~)/

/** Words between two wishes of one sentence. */
const AND_THEN =
  /(?:[,;.]? (?:and then|then also|and after that|after that|und dann|danach|et ensuite|et puis|puis|y luego|y después|e depois|e poi)|[，,。]?(?:然后|接着)|、?その後|затем|а потом) ?/i

const MIN_CHARACTERS = 8
const MAX_CHARACTERS = 240
const MAX_WISHES = 20

/** How much of a request is read: a longer one has a paste in it. */
const MAX_REQUEST_CHARACTERS = 8000

/**
 * Returns the separate wishes of a request: the items of its list, or what "and then" joins; none where it has only one. What is
 * pasted (quotes, code in fences) has none.
 */
export function splitWishes(request: string): string[] {
  const lines = proseLines(request.slice(0, MAX_REQUEST_CHARACTERS))
  const items = itemsOf(lines)
  const found =
    items.length > 1
      ? [...items, ...lastWords(lines)]
      : (lines.map(splitNumbered).find((parts) => parts.length > 1) ??
        (lines.length === 1 ? (lines[0] ?? '').split(AND_THEN) : []))
  const wishes = found.map((wish) => shorten(oneLine(wish), MAX_CHARACTERS))
  const isList =
    wishes.length > 1 && wishes.length <= MAX_WISHES && wishes.every(({ length }) => length >= MIN_CHARACTERS)
  return isList ? wishes : []
}

/** A number in parentheses, before an item within a sentence. */
const NUMBER = /(?:^|\s)\((\d{1,2})\)\s/g

/** The end of a sentence, and what joins the items of a sentence. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}])/u
const JOINING = /(?:[,;](?: and| und| et| y| e)?|,? and| und)$/

/** Returns the items that a line numbers as `(1) …; (2) …`, and what follows the sentence of the last one. */
function splitNumbered(line: string): string[] {
  const marks = [...line.matchAll(NUMBER)]
  const count = marks.findIndex(([, number], at) => Number(number) !== at + 1)
  const items = (count < 0 ? marks : marks.slice(0, count)).map(({ index, 0: mark }, at) =>
    line.slice(index + mark.length, marks[at + 1]?.index),
  )
  const [last = '', ...others] = (items.pop() ?? '').split(SENTENCE_END)
  return [...items, last, others.join(' ')]
    .map((item) => item.trim().replace(JOINING, ''))
    .filter((item) => item !== '')
}

/** Titles of advice that an environment gives to every agent: it asks for nothing. */
const ADVICE = /\b(?:tips|hints|strategy|guidelines|general (?:rules|notes|instructions))\b[^\n]{0,40}:$/i

/**
 * Returns whether a request is the briefing of an environment, as SWE-agent writes it: it has advice under a title of its own.
 * What it demands holds for its task.
 */
export const isBriefing = (request: string): boolean =>
  proseLines(request.slice(0, MAX_REQUEST_CHARACTERS)).some(isAdviceTitle)

const isAdviceTitle = (line: string): boolean =>
  /^\S.*:$/.test(line.trimEnd()) && ADVICE.test(line.trimEnd().slice(-200))

/** Returns the items of lists, without those below a title of advice. */
function itemsOf(lines: readonly string[]): string[] {
  let isAdvice = false
  return lines.flatMap((line) => {
    const [, item] = ITEM.exec(line) ?? []
    if (item === undefined && /^\S.*:$/.test(line.trimEnd())) isAdvice = isAdviceTitle(line)
    return item === undefined || isAdvice ? [] : [item]
  })
}

/** How many lines below a list are wishes too. */
const MAX_LAST_LINES = 2

/** Returns the lines below the last item of a list, if they are few. */
function lastWords(lines: readonly string[]): string[] {
  const last = lines.slice(lines.findLastIndex((line) => ITEM.test(line)) + 1).filter((line) => /^\S/.test(line))
  return last.length <= MAX_LAST_LINES ? last.filter((line) => line.length >= MIN_CHARACTERS) : []
}

function proseLines(text: string): string[] {
  let isFenced = false
  return text.split('\n').filter((line) => {
    const isFence = FENCE.test(line)
    if (isFence) isFenced = !isFenced
    return !isFence && !isFenced && line.trim() !== '' && !/^\s{0,3}>/.test(line)
  })
}
