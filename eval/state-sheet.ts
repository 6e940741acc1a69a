import type { SessionStates } from './states.ts'

/** A line of a summary that a person has to look at. */
interface Suspect {
  /** The number of the line, from 1. */
  line: number
  section: string
  text: string
  /** The item, demand or failure that it resembles, and what is known of it; empty for a repeated sentence. */
  known: string
}

/** What a person counts in a whole summary, and the lines to look at for each. */
export type StateSheet = Record<
  | 'finished written as open'
  | 'open written as done'
  | 'fixed failures as current'
  | 'demands that do not hold'
  | 'repeated',
  Suspect[]
>

interface SummaryLine {
  line: number
  section: string
  text: string
  words: ReadonlySet<string>
  isDone: boolean
  isOpen: boolean
}

const DONE = /\b(?:done|completed|finished|erledigt)\b/i
const OPEN = /\b(?:next|open|progress|blocked|pending|todo|offen)\b/i
const DEMANDS = /constraint|preference|demand|rule/i

/**
 * Returns the lines of a summary that resemble what is known of the session, for a person to count: code cannot tell whether a
 * line says it.
 */
export function writeStateSheet(summary: string, states: SessionStates): StateSheet {
  const lines = readLines(summary)
  const find = (words: string, known: string, isAsked: (line: SummaryLine) => boolean): Suspect[] =>
    lines.filter((line) => isAsked(line) && resembles(line, words)).map((line) => suspectOf(line, known))
  const items = states.items.map((item) => ({ ...item, known: `${item.state}: ${item.text}` }))
  const isFinished = ({ state }: (typeof items)[number]): boolean => state !== 'open' && state !== 'unknown'
  return {
    'finished written as open': items
      .filter(isFinished)
      .flatMap(({ text, known }) => find(text, known, ({ isOpen }) => isOpen)),
    'open written as done': items
      .filter((item) => !isFinished(item))
      .flatMap(({ text, known }) => find(text, known, ({ isDone }) => isDone)),
    'fixed failures as current': states.failures
      .filter(({ isCurrent }) => !isCurrent)
      .flatMap(({ text, why }) => find(text, `${why}: ${text}`, () => true)),
    'demands that do not hold': [
      ...states.demands
        .filter(({ holds }) => !holds)
        .flatMap(({ text, why }) => find(text, `${why}: ${text}`, ({ section }) => DEMANDS.test(section))),
      ...states.noItems.flatMap(({ text, why }) => find(text, `${why}: ${text}`, () => true)),
    ],
    repeated: findRepeated(lines),
  }
}

function readLines(summary: string): SummaryLine[] {
  let headings: string[] = []
  return summary.split('\n').flatMap((text, index) => {
    const heading = /^(#{1,6}) (.*)$/.exec(text)
    const level = heading?.[1]?.length ?? 1
    if (heading !== null)
      headings = [...Array.from({ length: level - 1 }, (_, at) => headings[at] ?? ''), heading[2] ?? '']
    if (heading !== null || text.trim() === '') return []
    const section = headings.filter(Boolean).join(' / ')
    const last = headings.at(-1) ?? ''
    const isTicked = /^\s*(?:[-*] )?\[[xX]\]/.test(text)
    const isBox = /^\s*(?:[-*] )?\[ \]/.test(text)
    const isDone = isTicked || (!isBox && DONE.test(last))
    return {
      line: index + 1,
      section,
      text: text.trim(),
      words: wordsOf(text),
      isDone,
      isOpen: !isDone && (isBox || OPEN.test(last)),
    }
  })
}

/** The share of the known words that a line must have. */
const SIMILAR = 0.6

function resembles({ words }: SummaryLine, known: string): boolean {
  const asked = [...wordsOf(known)]
  return asked.length > 0 && asked.filter((word) => words.has(word)).length / asked.length >= SIMILAR
}

/** Words of three letters and more, and each character of scripts without spaces. */
const wordsOf = (text: string): Set<string> =>
  new Set(text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]{3,}/gu) ?? [])

const suspectOf = ({ line, section, text }: SummaryLine, known: string): Suspect => ({ line, section, text, known })

/** A shorter sentence may stand in two places. */
const MIN_SENTENCE = 40

function findRepeated(lines: readonly SummaryLine[]): Suspect[] {
  const seen = new Set<string>()
  return lines.flatMap((line) => {
    const sentences = line.text.split(/(?<=[.!?]) /).filter((sentence) => sentence.length >= MIN_SENTENCE)
    const repeated = sentences.filter((sentence) => seen.has(sentence))
    for (const sentence of sentences) seen.add(sentence)
    return repeated.map((text) => ({ ...suspectOf(line, ''), text }))
  })
}
