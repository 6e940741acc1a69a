import { isNamed, QUANTITY } from './claimed-parts.ts'
import { isClaim, isShortfall, ITEM, REST, sentencesOf } from './done-claims.ts'
import { areAllIn } from './same-words.ts'
import { findNextSteps } from './statements.ts'
import { rootsOf } from './work-claims.ts'

/** The words before what an agent takes out of a claim about all. */
const EXCEPT = /\s(?:except|bis auf|sauf)(?: for)?\s/iu

/** A line above a list: what it says of the list is short. */
const MAX_TITLE_CHARACTERS = 60

/** Returns what an answer names as not done beside its shortfalls: planned steps, lists below a title that says so, and exceptions. */
const leftItems = (answer: string): string[] => [
  ...findNextSteps(answer),
  ...itemsLeft(answer),
  ...sentencesOf(answer).flatMap(exceptionOf),
]

function itemsLeft(answer: string): string[] {
  let isLeft = false
  return answer.split('\n').flatMap((line) => {
    const [, item] = ITEM.exec(line) ?? []
    if (item === undefined && line.trim() !== '') isLeft = saysListLeft(line)
    return item !== undefined && isLeft ? [item] : []
  })
}

const saysListLeft = (line: string): boolean =>
  line.length <= MAX_TITLE_CHARACTERS &&
  /^\s*#|[:：*_]\s*$/.test(line) &&
  (isShortfall(line) || (REST.test(line) && !isClaim(line)))

function exceptionOf(sentence: string): string[] {
  const { 0: words, index } = EXCEPT.exec(sentence) ?? { 0: '', index: 0 }
  const before = sentence.slice(0, index)
  return words !== '' && QUANTITY.test(before) && isClaim(sentence) ? [sentence.slice(index + words.length)] : []
}

/** Returns a function that finds what an answer names as not done, beside its shortfalls, that is about a part of a request. */
export function readLeft(answer: string, parts: readonly { text: string }[]): (part: string) => string | undefined {
  const left = leftItems(answer).map((text) => ({ text, words: rootsOf(text) }))
  const roots = left.length === 0 ? [] : parts.map(({ text }) => rootsOf(text))
  return (part) => {
    if (left.length === 0) return undefined
    const all = rootsOf(part)
    const own = new Set([...all].filter((word) => roots.filter((words) => words.has(word)).length === 1))
    const words = own.size > 0 ? own : all
    return left.find((one) => isNamed(words, one.words) || (one.words.size > 0 && areAllIn(one.words, words)))?.text
  }
}
