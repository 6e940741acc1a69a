import { withoutFenced } from '../text/close-marks.ts'
import { SENTENCE_END } from '../text/list-marks.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { isDemand, isLastingDemand } from './words.ts'

/** An item at the first level of a list. */
const ITEM = /^ {0,3}(?:[-*+•]|\d{1,2}[.)]|\((?:\d{1,2}|[ivx]{1,4}|[a-h])\))\s+(\S.*)$/

/** An item of a list, and the line directly above the list, which says what it is. */
export interface ListedWish {
  text: string
  /** An empty string if no line stands above the list. */
  lead: string
}

const MIN_ITEM_CHARACTERS = 4
const MIN_CHARACTERS = 8
export const MAX_CHARACTERS = 240
const MAX_WISHES = 20

/** How much of a request is read: a longer one has a paste in it. */
const MAX_REQUEST_CHARACTERS = 8000

/** Returns the wishes of a request that are items of a list. What it forbids may be among them: the line above the list says so. */
export const listedWishes = (request: string): ListedWish[] => listedIn(proseLines(request))

/** Returns the items of the list in lines of prose, and the lines below it, if they are few. */
export function listedIn(lines: readonly string[]): ListedWish[] {
  const items = itemsOf(lines)
  const found =
    items.length > 1
      ? [...items, ...lastWords(lines).map((text) => ({ text, lead: '' }))]
      : (lines.map(splitNumbered).find((parts) => parts.length > 1) ?? [])
  return wishesOf(found.map(({ text }) => text)).map((text, at) => ({ text, lead: found[at]?.lead ?? '' }))
}

/** Returns the parts of a text as wishes, if they are several. */
export function wishesOf(found: readonly string[]): string[] {
  const wishes = found.map((wish) => shorten(oneLine(wish), MAX_CHARACTERS))
  const isList =
    wishes.length > 1 && wishes.length <= MAX_WISHES && wishes.every(({ length }) => length >= MIN_ITEM_CHARACTERS)
  return isList ? wishes : []
}

/** A number or a letter before an item within a line. */
const NUMBER = /(?:^|\s)(?:\((\d{1,2}|[a-h]|[iv]{1,4})\)|(\d{1,2})[.)]|([a-h])\))\s/g

/** The end of an item that the next one may replace. */
const OR = /(?<![\p{L}])(?:or|oder|ou|soit|o|u|oppure|или)[\s,:]*$/iu

/** What joins the items of a sentence. */
const JOINING = /(?:[,;](?: and| und| et| y| e)?|,? and| und)$/

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii']

/** Returns the items that a line numbers as `(1) …; (2) …`, `1. … 2. …` or `a) … b) …`, and what follows the sentence of the last one. */
function splitNumbered(line: string): ListedWish[] {
  const all = [...line.matchAll(NUMBER)]
  const isNext = ([, one, number, letter]: RegExpExecArray, at: number): boolean =>
    [`${at + 1}`, 'abcdefgh'[at], ROMAN[at]].includes(one ?? number ?? letter)
  const count = all.findIndex((mark, at) => !isNext(mark, at))
  const marks = count < 0 ? all : all.slice(0, count)
  const items = marks.map(({ index, 0: mark }, at) => line.slice(index + mark.length, marks[at + 1]?.index))
  const isChoice = items.slice(0, -1).some((item) => OR.test(item))
  // In prose, letters name what was tried, or said.
  const isProse = marks[0]?.[0].includes('a') === true && !/(?:^|:)$/.test(line.slice(0, marks[0].index).trimEnd())
  if (items.length < 2 || isChoice || isProse) return []
  const [last = '', ...others] = (items.pop() ?? '').split(SENTENCE_END)
  const lead = line.slice(0, marks[0]?.index).trim()
  return [...items, last]
    .map((text) => ({ text, lead }))
    .concat({ text: others.join(' '), lead: '' })
    .map((item) => ({ ...item, text: item.text.trim().replace(JOINING, '') }))
    .filter(({ text }) => text !== '')
}

/** Titles of advice that an environment gives to every agent: it asks for nothing. */
const ADVICE = /\b(?:tips|hints|strategy|guidelines|general (?:rules|notes|instructions))\b[^\n]{0,40}:$/i

/**
 * Returns whether a request is the briefing of an environment, as SWE-agent writes it: it has advice under a title of its own.
 * What it demands holds for its task.
 */
export const isBriefing = (request: string): boolean => proseLines(request).some(isAdviceTitle)

const isAdviceTitle = (line: string): boolean =>
  /^\S.*:$/.test(line.trimEnd()) && ADVICE.test(line.trimEnd().slice(-200))

/** Returns the items of lists, but those of advice and of a demand, each with the line above its list: that may be an item too, with others below it. */
function itemsOf(lines: readonly string[]): ListedWish[] {
  let [lead, inner, depth] = ['', '', 0]
  let [above, isDemanded] = ['', false]
  return lines.flatMap((line, at) => {
    const [, item] = ITEM.exec(line) ?? []
    const indent = line.search(/\S/)
    if (item === undefined) {
      if (indent === 0) [lead, inner] = [line.trim().split(LAST_SENTENCE).at(-1) ?? '', '']
      return []
    }
    if (indent <= depth) inner = ''
    const next = lines[at + 1] ?? ''
    const isLead = COLON_AT_END.test(item) && ITEM.test(next) && next.search(/\S/) > indent
    if (isLead) [inner, depth] = [item.trim(), indent]
    const wish = { text: item, lead: inner || lead }
    if (isLead || isAdviceTitle(lead)) return []
    if (wish.lead !== above) [above, isDemanded] = [wish.lead, demandsEach(wish.lead, item)]
    return isDemanded ? [] : [wish]
  })
}

/** The end of a line that introduces something. */
export const COLON_AT_END = /[:：]\s*$/

/** Returns a text in which the items of a list are in the sentence above them, where that demands something of all of them. */
export function joinDemanded(text: string): string {
  const lines: string[] = []
  let [head, depth] = [-1, -1]
  let isDemanded = false
  for (const line of text.split('\n')) {
    const [, item] = ITEM.exec(line) ?? []
    const indent = line.search(/\S/)
    const above = item === undefined || indent > depth ? lines[head] : undefined
    const isFirst = !isDemanded
    if (item !== undefined && above !== undefined && isFirst) isDemanded = demandsEach(above, item)
    if (isDemanded && above !== undefined && (item !== undefined || indent > 0))
      lines[head] = joined(above, item?.replace(/[.;,]$/, '') ?? line.trim(), item === undefined || isFirst)
    else {
      lines.push(line.trimEnd())
      const isHead = item === undefined ? indent === 0 : COLON_AT_END.test(item)
      if (isHead) [head, depth, isDemanded] = [lines.length - 1, item === undefined ? -1 : indent, false]
      else if (item !== undefined) head = -1
    }
  }
  return lines.join('\n')
}

const joined = (above: string, words: string, isSame: boolean): string =>
  `${isSame ? above.replace(/\.$/, ':') : `${above};`} ${words}`

/** Where the last sentence above a list begins: people end sentences with a face, too. */
const LAST_SENTENCE = /(?<=[.!?]|[:;]-?[()D])\s/

/** Whether the last sentence above a list demands something of its items. */
function demandsEach(above: string, item: string): boolean {
  const [head = ''] = above
    .replace(/^\s*[-*+•]\s/, '')
    .split(LAST_SENTENCE)
    .slice(-1)
  return isDemand(head) && isLastingDemand(`${head} ${item}`)
}

/** Returns a request without the items of its lists. */
export const withoutItems = (request: string): string => request.replace(ITEMS, '')

const ITEMS = new RegExp(ITEM.source, 'gm')

/** How many lines below a list are wishes too. */
const MAX_LAST_LINES = 2

/** Returns the lines below the last item of a list, if they are few. */
function lastWords(lines: readonly string[]): string[] {
  const last = lines.slice(lines.findLastIndex((line) => ITEM.test(line)) + 1).filter((line) => /^\S/.test(line))
  return last.length <= MAX_LAST_LINES ? last.filter((line) => line.length >= MIN_CHARACTERS) : []
}

/** Returns the lines of a text that are not pasted, but blank ones. */
export const proseLines = (text: string): string[] =>
  withoutFenced(text.slice(0, MAX_REQUEST_CHARACTERS).split('\n')).filter(
    (line) => line.trim() !== '' && !/^\s{0,3}>/.test(line),
  )
