import { stemsOf } from '../../extract/same-words.ts'
import { findMatches } from '../../recall/find-matches.ts'
import { parseQuery, type Term } from '../../recall/query.ts'
import { textsOf, type Message } from '../../session/message.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { RANK, type RankedLine } from './ranked-lines.ts'

/** Words with which a focus is asked for. Those that stand in any text are left out by `stemsOf`. */
const ASKING_WORDS = stemsOf(
  'about all also anything attention carefully concentrate describe detail details do does especially everything exact exactly focus focused how important include info information keep list mainly make mention more most much need not only pay preserve relevant remember should show summarise summarize summary sure what when where which who why word',
)

/** What the user wants a summary to pay attention to: how much a text has of its words. */
export interface Focus {
  /** Returns how well each word of the focus matches a text, from 0 to 1. */
  matchesOf: (text: string) => number[]
}

/** Returns the focus of instructions; undefined if they have no word of their own. */
export function readFocus(text = ''): Focus | undefined {
  const terms = parseQuery(text.replace(/["“”]/g, ' ')).terms.filter(saysSomething)
  if (terms.length === 0) return undefined
  const matchesOf = (searched: string): number[] => {
    const found = findMatches(searched, { terms, phrases: [] })?.terms
    return terms.map(({ weight }, index) => weight * (found?.get(index)?.quality ?? 0))
  }
  return { matchesOf }
}

const saysSomething = ({ text }: Term): boolean => {
  const stems = [...stemsOf(text)]
  return stems.some((stem) => !ASKING_WORDS.has(stem))
}

/** Returns how much a text has of the focus. */
export const matchFocus = (text: string, focus: Focus | undefined): number =>
  focus?.matchesOf(text).reduce((sum, match) => sum + match, 0) ?? 0

/** More than any score of a detail: what has words of the focus comes before all other details of its kind. */
const FOCUS_SCORE = 1000

/** What belongs to a line with words of the focus, without having one itself. */
const BELONGING_SHARE = 1 / 2

/** The best of them come before the newest turns, decisions and commands, with this share of the room. */
const FIRST_SHARE = 1 / 3

/**
 * Ranks lines by the words of the focus: those with rare words first. The course stays that of the newest steps: it says how they ended.
 * @param roomTokens the room of the whole text
 */
export function weighFocus(lines: readonly RankedLine[], focus: Focus | undefined, roomTokens: number): void {
  if (focus === undefined) return
  const scores = scoreLines(lines, focus)
  const scoreOf = (line: RankedLine): number => scores.get(line) ?? 0
  const found = lines.filter(
    (line) => line.rank >= RANK.decision && line.detail?.kind !== 'course' && scoreOf(line) > 0,
  )
  let left = roomTokens * FIRST_SHARE
  for (const line of found.toSorted((a, b) => scoreOf(b) - scoreOf(a))) {
    left -= estimateTextTokens(line.text)
    if (left > 0) rankFirst(line)
    else if (line.detail !== undefined)
      line.detail = { ...line.detail, score: line.detail.score + FOCUS_SCORE * (1 + scoreOf(line)) }
  }
}

function rankFirst(line: RankedLine): void {
  for (const one of [line, line.parent]) {
    if (one === undefined) continue
    one.rank = Math.min(one.rank, RANK.wanted)
    delete one.detail
  }
}

/** Returns how much each line has of the focus. A line that others belong to has as much as the best of them. */
function scoreLines(lines: readonly RankedLine[], focus: Focus): ReadonlyMap<RankedLine, number> {
  const matches = lines.map(({ text }) => focus.matchesOf(text))
  const counts = (matches[0] ?? []).map((_, term) => matches.filter((found) => (found[term] ?? 0) > 0).length)
  const rarities = counts.map((count) => Math.log2(1 + lines.length / Math.max(1, count)))
  const scores = new Map<RankedLine, number>()
  for (const [index, line] of lines.entries()) {
    const own = (matches[index] ?? []).reduce((sum, match, term) => sum + match * (rarities[term] ?? 0), 0)
    const { parent } = line
    scores.set(line, Math.max(own, BELONGING_SHARE * (parent === undefined ? 0 : (scores.get(parent) ?? 0))))
  }
  for (const line of lines) {
    const { parent } = line
    if (parent !== undefined) scores.set(parent, Math.max(scores.get(parent) ?? 0, scores.get(line) ?? 0))
  }
  return scores
}

/** A word in more messages is not rare: what is picked anyway has it. */
const MAX_RARE_MESSAGES = 6

/** How many of the newest lines with rare words are added, and how long each may be. */
const MAX_RARE_LINES = 12
const MAX_RARE_CHARACTERS = 240

/** Who has written a line. */
const WRITERS: Readonly<Partial<Record<Message['role'], string>>> = {
  user: 'The user',
  assistant: 'The agent',
  toolResult: 'Output',
  bashExecution: 'Output',
}

/**
 * Returns the lines of messages with words of the focus that only a few messages have: what is picked by its worth may have none.
 * @param picked the lines that are picked anyway
 */
export function findRareLines(
  messages: readonly Message[],
  focus: Focus | undefined,
  picked: readonly RankedLine[],
): RankedLine[] {
  if (focus === undefined) return []
  const found = messages.flatMap((message) => {
    const text = textsOf(message).join('\n')
    const matches = focus.matchesOf(text)
    return matches.some((match) => match > 0) ? [{ writer: WRITERS[message.role] ?? 'A note', text, matches }] : []
  })
  const counts = (found[0]?.matches ?? []).map(
    (_, term) => found.filter(({ matches }) => (matches[term] ?? 0) > 0).length,
  )
  const hasRare = (matches: readonly number[]): boolean =>
    matches.some((match, term) => match > 0 && (counts[term] ?? 0) <= MAX_RARE_MESSAGES)
  const said = picked.map(({ text }) => text).join('\n')
  const lines = found.flatMap(({ writer, text, matches }) =>
    (hasRare(matches) ? text.split('\n') : [])
      .filter((line) => line.length <= MAX_LINE_CHARACTERS && hasRare(focus.matchesOf(line)))
      .slice(-MAX_RARE_LINES)
      .map((line) => shorten(oneLine(line.replace(/^\s*[-*+>#]+ /, '')), MAX_RARE_CHARACTERS))
      .filter((line) => !said.includes(line))
      .map((line) => `- ${writer}: ${line}`),
  )
  const rating = { kind: 'passage', score: 0 } as const
  return [...new Set(lines)].slice(-MAX_RARE_LINES).map((text) => ({ text, rank: RANK.detail, detail: rating }))
}

/** Longer lines are data. */
const MAX_LINE_CHARACTERS = 2000

/** Returns the newest items, at most so many; those with words of the focus come before newer ones, in the order of all. */
export function keepFocused<T>(items: readonly T[], max: number, { focus, textOf }: Choice<T>): T[] {
  if (focus === undefined || items.length <= max) return items.slice(-max)
  const wanted = new Set(items.filter((item) => matchFocus(textOf(item), focus) > 0).slice(-max))
  const room = max - wanted.size
  const newest = new Set(room === 0 ? [] : items.filter((item) => !wanted.has(item)).slice(-room))
  return items.filter((item) => wanted.has(item) || newest.has(item))
}

/** What is wanted of items. */
export interface Choice<T> {
  focus: Focus | undefined
  textOf: (item: T) => string
}
