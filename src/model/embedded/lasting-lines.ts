import { isUnsettled } from './earlier-work.ts'
import { keepFocused, type Choice } from './focus.ts'
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

/** Returns the newest decisions in their order, up to a maximum: causes of faults are left out before choices. */
export function keepDecisions(decisions: readonly Statement[], max: number, wanted: Choice<Statement>): Statement[] {
  const isCause = ({ head }: Statement): boolean => CAUSE.test(head)
  const chosen = keepFocused(
    decisions.filter((one) => !isCause(one)),
    max,
    wanted,
  )
  const room = max - chosen.length
  const causes = room === 0 ? [] : keepFocused(decisions.filter(isCause), room, wanted)
  const kept = new Set([...chosen, ...causes])
  return decisions.filter((one) => kept.has(one))
}

const CAUSE =
  /^- the (?:root |actual |real |underlying )?(?:bug|cause|error|fault|issue|problem|reason)\b[^.]{0,80} (?:is|was)\b/i

/** A few statements need no explanation. */
const MIN_STATEMENTS_WITH_LEGEND = 4

const withLegend = (legend: string, lines: RankedLine[]): RankedLine[] =>
  lines.filter(({ parent }) => parent === undefined).length < MIN_STATEMENTS_WITH_LEGEND &&
  lines.length < 3 * MIN_STATEMENTS_WITH_LEGEND
    ? lines
    : [{ text: legend, rank: RANK.decision }, ...lines]
