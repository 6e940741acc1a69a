import { lastOfEach } from '../../text/last-of-each.ts'

/** A line of an extract. The lower the rank, the longer it stays when room is short. */
export interface RankedLine {
  text: string
  rank: number
  /** The line that it belongs to: it never stays without that. */
  parent?: RankedLine
  detail?: Rating
  /** Whether it is of an earlier summary, and nothing has changed about it since. */
  isEarlier?: boolean
  /** Of the line about them: how many statements were left out before. */
  leftOut?: number
}

/**
 * The kinds of details, with their shares of the room. The lines of old edits cost least: the file itself has them. What a document
 * demands is asked for most. What was only read has the room that all others leave.
 */
const SHARES = {
  ...{ turn: 3, passage: 3.5, file: 3, edit: 1.2, document: 5 },
  ...{ decision: 1.5, command: 1, course: 4, read: 0.05, carried: 4 },
} as const

export interface Rating {
  kind: keyof typeof SHARES
  /** The higher, the longer it stays among the details of its kind. */
  score: number
  /** The rank of a line that comes before all details. */
  rank?: number
}

/** A statement: a line, and details below it. A statement with a rating is a detail itself. */
export interface Statement {
  head: string
  rating?: Rating
  isEarlier?: boolean
  details?: readonly { text: string; rating: Rating; isEarlier?: boolean }[]
}

/** Returns a statement with another head: its first line. What belongs to it stays. */
export function changeHead(statement: string, change: (head: string) => string): string {
  const [head = '', ...lines] = statement.split('\n')
  return [change(head), ...lines].join('\n')
}

/** The priority of lines when room is short. */
export const RANK = {
  request: 0,
  constraint: 1,
  /** Words of the agent that are quoted whole, before other lines that may have them. */
  quoted: 1.5,
  nextStep: 2,
  /** Words of earlier turns that are quoted whole, beside which the user's next words are names if another step has them. */
  left: 2.2,
  // An error that stands in the way of the next step stands there.
  error: 2.5,
  failure: 2.5,
  carried: 3,
  /** What the user wants the summary to pay attention to. */
  wanted: 3.5,
  decision: 4,
  done: 5,
  fix: 5.5,
  success: 5.7,
  /** The rank of the first detail. */
  detail: 6,
} as const

/**
 * Reads statements of an earlier summary: the lines that are moved in are details.
 * @param kind given where the statements are details themselves
 */
export function carry(texts: readonly string[] = [], kind?: 'carried' | 'read'): Statement[] {
  return texts.map((text, index) => {
    const rating: Rating = { kind: kind ?? 'carried', score: (index + 1) / texts.length }
    const lines = text.split('\n')
    // What looks like a list in a fence is code.
    const hasCode = text.includes('```') || text.includes('~~~')
    const firstDetail = hasCode ? -1 : lines.findIndex((line) => /^\s+[-*+] /.test(line))
    const end = firstDetail < 1 ? lines.length : firstDetail
    const details = lines.slice(end).map((line) => ({ text: line, rating, isEarlier: true }))
    const head = lines.slice(0, end).join('\n')
    return { head, details, isEarlier: true, ...(kind === undefined ? {} : { rating }) }
  })
}

export const bullets = (texts: readonly string[]): Statement[] => texts.map((text) => ({ head: `- ${text}` }))

/** Merges earlier statements with new ones, and returns the newest. */
export const merge = (before: readonly string[] = [], after: readonly Statement[], max = Infinity): Statement[] =>
  mergeStatements(carry(before), after).slice(-max)

export const linesOf = (statements: readonly Statement[], rank: number = RANK.detail): RankedLine[] =>
  statements.flatMap(({ head, rating, isEarlier = false, details = [] }) => {
    const parent: RankedLine = { text: head, rank, isEarlier, ...(rating === undefined ? {} : { detail: rating }) }
    return [parent, ...details.map(({ rating: detail, ...line }) => ({ ...line, rank, parent, detail }))]
  })

interface Keeping {
  kind: Rating['kind']
  /** How many of the newest statements have the rank; older ones are details. */
  essential: number
  rank: number
  /** Whether an older one has the rank too. */
  lasts?: (statement: Statement) => boolean
}

/** Returns the lines of statements, older ones ranked higher, so that they are left out before newer ones. */
export const keepNewest = (statements: readonly Statement[], { kind, essential, rank, lasts }: Keeping): RankedLine[] =>
  statements.flatMap((statement, index) => {
    const age = statements.length - index
    if (age <= essential || lasts?.(statement) === true) return linesOf([statement], rank + age / 1000)
    // A statement with details or with changed files says more.
    const worth = (statement.head.endsWith(']') ? 0.3 : 0) + Math.min(0.2, (statement.details?.length ?? 0) / 10)
    return linesOf([{ rating: { kind, score: index / statements.length + worth }, ...statement }])
  })

/** Merges two lists of statements, older first; a statement of both lists occurs once, in its newer form. */
const mergeStatements = (before: readonly Statement[], after: readonly Statement[]): Statement[] =>
  lastOfEach(
    [...before, ...after].filter(({ head }) => keyOf(head) !== ''),
    ({ head }) => keyOf(head),
  )

/** Returns a key that is equal for equal statements; list marks, case, emphasis and white space do not count. */
const keyOf = (statement: string): string =>
  statement
    .replace(/^(?:[-*+]|\d+\.)\s+/, '')
    .replace(/^\[[ xX]\]\s*/, '')
    .replace(/[*_`"'.]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Ranks all details of a summary, so that each kind gets its share of the room. */
export function rankDetails(lines: readonly RankedLine[]): void {
  for (const kind of Object.keys(SHARES) as (keyof typeof SHARES)[]) {
    const own = lines.filter(({ detail }) => detail?.kind === kind)
    let characters = 0
    for (const line of own.toSorted((a, b) => (b.detail?.score ?? 0) - (a.detail?.score ?? 0))) {
      line.rank = line.detail?.rank ?? RANK.detail + characters / SHARES[kind] / 1e6
      characters += line.text.length
    }
  }
}
