import { isUnsettled } from './earlier-work.ts'
import { keepNewest, RANK, type RankedLine, type Statement } from './ranked-lines.ts'
import { LEGENDS } from './summary-parts.ts'
import { NEWEST_TURNS } from './turn-lines.ts'

/** How many of the newest decisions come before all details. */
const ESSENTIAL_DECISIONS = 8

/** Returns the lines of what was done: of earlier ones, those that may still be open stay as long as the newest. */
export const writeDone = (done: readonly Statement[]): RankedLine[] =>
  withLegend(
    LEGENDS.done,
    keepNewest(done, { kind: 'turn', essential: NEWEST_TURNS, rank: RANK.done, lasts: isUnsettled }),
  )

/** Returns the lines of decisions: those of an earlier summary hold, so that they stay. */
export const writeDecisions = (decisions: readonly Statement[]): RankedLine[] =>
  withLegend(
    LEGENDS.decisions,
    keepNewest(decisions, {
      ...{ kind: 'decision', essential: ESSENTIAL_DECISIONS, rank: RANK.decision },
      lasts: ({ isEarlier = false }) => isEarlier,
    }),
  )

/** A few statements need no explanation. */
const MIN_STATEMENTS_WITH_LEGEND = 4

const withLegend = (legend: string, lines: RankedLine[]): RankedLine[] =>
  lines.filter(({ parent }) => parent === undefined).length < MIN_STATEMENTS_WITH_LEGEND &&
  lines.length < 3 * MIN_STATEMENTS_WITH_LEGEND
    ? lines
    : [{ text: legend, rank: RANK.decision }, ...lines]
