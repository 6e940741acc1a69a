import { closeMarks, isFence, openFence } from '../text/close-marks.ts'
import { readLeftOut, writeLeftOut } from '../text/left-out.ts'
import { LIST_ITEM } from '../text/list-marks.ts'
import { renderSections, splitTrailingBlanks, type Section } from '../text/sections.ts'
import { firstCharacters } from '../text/shorten.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { firstThatFit } from '../text/that-fit.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { readSummary, summaryOf, trimmedSummary, type Summary } from './summary.ts'
import { noUserMessages, readUserMessageLines, writeUserMessages } from './user-messages.ts'

/**
 * Shortens a summary. Each section that still fits is kept, in order, so that a long one in the middle does not push out the short
 * ones after it. Of a list that does not fit, the oldest items are left out. Where the first section does not fit, its first
 * lines are kept.
 * @param maxTokens by our estimate
 */
export function cutAtSections({ sections }: Summary, maxTokens: number): Summary {
  const [first = [], ...others] = groupByHeading(sections).map(closeGroup)
  const { text } = summaryOf(first)
  const kept =
    estimateTextTokens(text) <= maxTokens ? first : [{ lines: closeMarks(cutAtLines(text, maxTokens)).split('\n') }]
  let left = maxTokens - estimateTextTokens(renderSections(kept))
  const take = (group: readonly Section[]): boolean => {
    const tokens = estimateTextTokens(`\n${renderSections(group)}`)
    if (tokens > left) return false
    left -= tokens
    return true
  }
  const whole = new Set(others.filter(take))
  const shown = others.map((group) => {
    if (whole.has(group)) return group
    const cut = cutList(group, left)
    return cut.length > 0 && take(cut) ? cut : []
  })
  return trimmedSummary([kept, ...shown].flat())
}

/** Returns each heading with all that follows it up to the next one. */
function groupByHeading(sections: readonly Section[]): Section[][] {
  const groups: Section[][] = []
  for (const section of sections) {
    const last = groups.at(-1)
    if (last === undefined || section.heading !== undefined) groups.push([section])
    else last.push(section)
  }
  return groups
}

/**
 * Returns a summary whose text leaves no mark open, so that what code writes into it or behind it is no code. Where a fence is open at its
 * end, each section closes its own one.
 */
export function closeSections(summary: Summary): Summary {
  const isOpen = openFence(summary.text) !== undefined
  const { text } = isOpen ? summaryOf(summary.sections.flatMap((section) => closeGroup([section]))) : summary
  const closed = closeMarks(text)
  return closed === summary.text ? summary : readSummary(closed)
}

/** Closes the fence that a heading's text leaves open: what closes it may be below a heading that is left out. */
function closeGroup(group: readonly Section[]): Section[] {
  const fence = openFence(renderSections(group))
  if (fence === undefined) return [...group]
  const last = group.at(-1) ?? { lines: [] }
  const { content, blanks } = splitTrailingBlanks(last.lines)
  return [...group.slice(0, -1), { ...last, lines: [...content, fence, ...blanks] }]
}

/** Returns the section of a list with as many of its items as fit, and their number; nothing for any other text. */
function cutList([section, ...rest]: readonly Section[], maxTokens: number): Section[] {
  const { heading, lines } = section ?? { lines: [] }
  if (heading === undefined || rest.length > 0 || lines.some(isFence)) return []
  const room = maxTokens - estimateTextTokens(`\n${heading.line}\n`) - SLACK_TOKENS
  const shown = heading.line === HEADINGS.userMessages ? cutMessages(lines, maxTokens) : cutItems(lines, room)
  return shown.length === 0 ? [] : [{ heading, lines: [...shown, ''] }]
}

/** The sum of the estimates of all lines differs a little from the estimate of the whole. */
const SLACK_TOKENS = 4

/** Returns the newest of the user's messages, of which the newest is the first. */
function cutMessages(lines: readonly string[], maxTokens: number): string[] {
  const found = noUserMessages()
  readUserMessageLines(lines, found)
  return writeUserMessages(found, maxTokens).split('\n').slice(1)
}

/** Returns the last items of a list, where the newest ones are. Those with numbers are steps: the first ones come next. */
function cutItems(lines: readonly string[], maxTokens: number): string[] {
  const { lead, items } = splitItems(lines)
  const isNumbered = LIST_ITEM.exec(items[0]?.[0] ?? '')?.[1] !== undefined
  const before = lead.reduce((sum, line) => sum + readLeftOut(line), 0)
  const words = lead.filter((line) => readLeftOut(line) === 0)
  const room = maxTokens - estimateTextTokens([...words, writeLeftOut(before + items.length)].join('\n'))
  const byWorth = isNumbered ? items : items.toReversed()
  const shown = firstThatFit(byWorth, room, (item) => estimateTextTokens(`${item.join('\n')}\n`))
  if (shown.length === 0 || shown.length === items.length) return []
  const note = [writeLeftOut(before + items.length - shown.length, isNumbered ? 'later' : 'older')]
  return isNumbered ? [...words, ...shown.flat(), ...note] : [...words, ...note, ...shown.reverse().flat()]
}

/** Splits the lines of a list into its items, each with the lines below it, and the lines before the first one. */
function splitItems(lines: readonly string[]): { lead: string[]; items: string[][] } {
  const lead: string[] = []
  const items: string[][] = []
  for (const line of lines.filter((one) => one.trim() !== '')) {
    if (LIST_ITEM.test(line)) items.push([line])
    else (items.at(-1) ?? lead).push(line)
  }
  return { lead, items }
}

function cutAtLines(text: string, maxTokens: number): string {
  const lines = firstThatFit(text.split('\n'), maxTokens, (line) => estimateTextTokens(`${line}\n`))
  if (lines.join('').trim() !== '') return lines.join('\n')
  return firstCharacters(text, Math.floor((text.length * maxTokens) / estimateTextTokens(text)))
}

/** Returns the text of a summary within a number of tokens. */
export const cutSummaryText = (text: string, maxTokens: number): string =>
  estimateTextTokens(text) > maxTokens ? cutAtSections(readSummary(text), maxTokens).text : text
