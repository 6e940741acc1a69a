import { isForRequest, withoutLater } from '../../extract/demand-notes.ts'
import { LATER_SUMMARY_TOKENS } from '../../plan/settings.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { quotesUser, readAnswered } from './answered.ts'
import { RANK, type RankedLine } from './ranked-lines.ts'
import { isFileStatement } from './read-files.ts'
import { SaidOnce } from './said-once.ts'
import { isStep, isWholeStep } from './step-labels.ts'

export interface Room {
  /** The newest request as code adds it to the goal: its sentences need no second place. */
  request: string
  /** The limit of the whole text. */
  maxTokens: number
  /** With details, the text is at most this long; essential lines may be longer. */
  detailedTokens: number
  /** The same, of what was not in an earlier summary, by itself. */
  newestTokens: number
  /** The length of an earlier summary, and of what code had added to it: it stays longer than finished work. */
  previousTokens: number
  carriedTokens: number
  /** What the user has said since. */
  spokenTokens: number
}

export interface Fitting extends Room {
  /** The lines of which other words stay where a part was said. */
  named: ReadonlySet<RankedLine | undefined>
}

/**
 * Returns the room of a summary after an earlier one: for what is new as much as it has by itself, and beside it for what was said before,
 * as much as is new, or as makes the summary no longer than the earlier one. So ten compactions in a row give hardly more than two.
 */
function beside(lines: readonly RankedLine[], fitting: Fitting): Fitting & { earlierTokens: number } {
  const { previousTokens, carriedTokens, spokenTokens, newestTokens, detailedTokens } = fitting
  if (previousTokens === 0) return { ...fitting, earlierTokens: 0 }
  const newest = lines.filter(({ isEarlier = false }) => !isEarlier)
  const added = sumTokens([
    ...keepLines(newest, { ...fitting, detailedTokens: newestTokens, earlierTokens: 0 }).values(),
  ])
  const carried = Math.max(
    spokenTokens + added - carriedTokens,
    previousTokens - spokenTokens - added,
    LATER_SUMMARY_TOKENS - added,
  )
  const lasting = sumTokens(lines.filter((line) => line.isEarlier === true && !givesWay(line)))
  return {
    ...fitting,
    detailedTokens: Math.min(detailedTokens, added + Math.max(carried, lasting)),
    earlierTokens: carried - lasting,
  }
}

/** Returns the lines that fit into a room, by rank, each with its text as it is written. */
export const fitLines = (lines: readonly RankedLine[], fitting: Fitting): Map<RankedLine, RankedLine> =>
  keepLines(lines, beside(lines, fitting))

/** Returns the lines that fit, each as it is written: of what occurs twice, the more important line, which comes first, has it. */
function keepLines(
  lines: readonly RankedLine[],
  { request, maxTokens, detailedTokens, named, earlierTokens }: Fitting & { earlierTokens: number },
): Map<RankedLine, RankedLine> {
  const said = new SaidOnce()
  said.addRequest(request)
  const kept = new Map<RankedLine, RankedLine>()
  let [usedTokens, usedEarlier] = [0, 0]
  for (const line of lines) {
    const { text: whole, rank, parent } = line
    const isDetail = rank >= RANK.detail
    const limit = isDetail ? Math.min(maxTokens, detailedTokens) : maxTokens
    if (isDetail && usedTokens >= limit) break
    if (parent !== undefined && !kept.has(parent)) continue
    if (usedTokens + tokensOf(whole) > limit) continue
    if (givesWay(line) && usedEarlier + tokensOf(whole) > earlierTokens) continue
    const bare = withoutLater(whole)
    const fresh = rank === RANK.request ? whole : newWords(bare, said, named.has(line))
    if (fresh === undefined) continue
    const own = parent !== undefined && isFileStatement(parent.text) && !isEdit(bare) ? bare : fresh
    // Beside a demand, words of the user stand whole. Whoever reads the next steps alone needs the words there.
    const text = bare !== whole ? whole : own
    said.add(text === whole ? bare : text)
    if (isStep(own)) said.addQuotes(text)
    usedTokens += tokensOf(text)
    if (givesWay(line)) usedEarlier += tokensOf(text)
    kept.set(line, text === whole ? line : { ...line, text })
  }
  for (const [line, { text: whole, ...others }] of kept) {
    const text = isStep(whole) ? whole : said.withNamedQuotes(whole)
    if (!isStep(whole)) said.addQuotes(text)
    if (text !== whole) kept.set(line, { ...others, text })
  }
  return kept
}

const tokensOf = (text: string): number => estimateTextTokens(`${text}\n`)
const sumTokens = (lines: readonly RankedLine[]): number => lines.reduce((sum, { text }) => sum + tokensOf(text), 0)

/** Whether a line of an earlier summary gives way to new ones: never open work, a demand, or a decision. */
const givesWay = ({ isEarlier = false, rank }: RankedLine): boolean => isEarlier && rank >= RANK.fix

/** Whether a line below a file has lines of an edit, of which each may be left out. A declaration without a part of it is another one. */
const isEdit = (line: string): boolean => /^\s*- (?:edit: \w+|content): /.test(line)

/** Returns what a line says that was not said; undefined if that is hardly anything. */
function newWords(line: string, said: SaidOnce, isNamed: boolean): string | undefined {
  const { asked } = readAnswered(line) ?? {}
  if (asked !== undefined) return line.replace(asked, () => withShortLead(asked, said))
  return isWhole(line) ? line : said.withoutSaid(line, isNamed)
}

/** Returns a question of the agent without what was said before its last sentence, which is what the user answers. */
function withShortLead(asked: string, said: SaidOnce): string {
  const [lead = ''] = /^.*[.!?:]["'`)]{0,2} (?=.{8})/.exec(asked) ?? []
  const left = said.withoutSaid(lead, false)
  return left === lead ? asked : `${left ?? '…'} ${asked.slice(lead.length)}`
}

/**
 * Whether a line stays whole: the path of a file, an answer with its question, words to go on from, and a demand with the name of its
 * request say nothing in part.
 */
const isWhole = (text: string): boolean =>
  isFileStatement(text) || isWholeStep(text) || quotesUser(text) || isForRequest(text)
