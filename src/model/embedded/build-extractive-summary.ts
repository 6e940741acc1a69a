import { withoutLater } from '../../extract/demand-notes.ts'
import { isListed, type WorkItem } from '../../extract/work-item.ts'
import { isStillOpen, isWorked, onePerItem, withNewestCommits, writeDoneSteps, writeWorked } from './earlier-steps.ts'
import { earlierDecisions, earlierStep, isOpenTurn, isUnsettled } from './earlier-work.ts'
import { restoreClosing } from './closing-words.ts'
import { emptyExtractiveSummary, type ExtractiveSummary } from './extractive-summary.ts'
import type { SessionFacts, TurnFact } from './facts.ts'
import { keepFocused, type Choice } from './focus.ts'
import { newestRequest, passedRequests, writeNextSteps } from './next-steps.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { readWaiting, writeWaiting } from './answered.ts'
import { withoutOpenParts, writeOpenParts } from './open-parts.ts'
import { shortName } from './request-name.ts'
import { GOES_ON_BELOW, isWholeStep, STEP_LABELS } from './step-labels.ts'
import { describeFinished, isPlan } from './plan-lines.ts'
import { bullets, carry, keepNewest, linesOf, merge, RANK, type RankedLine, type Statement } from './ranked-lines.ts'
import { readLeftOut, writeLeftOut } from '../../text/left-out.ts'
import { shorten } from '../../text/shorten.ts'
import {
  continueTurn,
  isOpen,
  MAX_REQUEST_CHARACTERS,
  NEWEST_TURNS,
  writeDoneTurns,
  writeOpenTurn,
} from './turn-lines.ts'
import { LEGENDS } from './summary-parts.ts'
import { writeConstraints } from './write-constraints.ts'
import { writeGoal } from './write-goal.ts'
import { LAST_CALL, writeContext, writeState } from './write-context.ts'

/** A statement is wanted for its words, or for those of its details. */
const wantedBy = ({ focus }: SessionFacts): Choice<Statement> => ({
  focus,
  textOf: ({ head, details = [] }) => [head, ...details.map(({ text }) => text)].join('\n'),
})

/** Merges the statements of an earlier summary with the new facts: the newest state wins, and nothing occurs twice. */
export function buildExtractiveSummary(facts: SessionFacts, previous?: ParsedSummary): ExtractiveSummary {
  const before = previous && restoreClosing(previous.statements)
  const { turns, inProgress } = continueTurn(facts, openBefore(facts, before), previous)
  const { items, commits } = facts.work
  const open = openRequests(items)
  const finished = before?.done.filter(
    (text) => !isOpenBefore(text) && !isPlan(text) && !isWorked(text) && readLeftOut(text) === 0,
  )
  const steps = writeDoneSteps(facts, [...(before?.nextSteps ?? []), ...(before?.pending ?? []), ...inProgress])
  const allDone = onePerItem(merge(finished, [...steps, ...writeDoneTurns(turns, { commits, open })]), facts.work)
  const done = keepFocused(withNewestCommits(allDone, wantedBy(facts)), MAX.done, wantedBy(facts))
  const unlisted = (before?.done ?? []).reduce((sum, text) => sum + readLeftOut(text), allDone.length - done.length)
  const decided = merge(before && earlierDecisions(before), bullets(facts.decisions))
  const decisions = keepFocused(decided, MAX.decisions, wantedBy(facts))
  const constraints = writeConstraints(facts, previous)
  const isCurrent = (statement: string): boolean => isStillOpen(earlierStep(statement, facts.work.items))
  return {
    ...emptyExtractiveSummary(),
    goal: writeGoal(facts, { previous, stated: constraints.map(({ head }) => withoutLater(head).replace(/^- /, '')) }),
    constraints: linesOf(constraints, RANK.constraint),
    done: [
      ...(unlisted === 0 ? [] : [{ text: writeLeftOut(unlisted), rank: RANK.decision, leftOut: unlisted }]),
      ...writeDone(done),
      ...describeFinished(items.filter((item) => isListed(item) && item.state === 'done')),
      ...linesOf(writeWorked(facts.work, before?.done ?? [])),
    ],
    inProgress: linesOf(
      merge(inProgress.filter(isCurrent).map(withoutOpenParts), writeInProgress({ ...facts, turns }), MAX.inProgress),
      RANK.nextStep,
    ),
    pending: linesOf(carry(before?.pending.filter(isCurrent)), RANK.nextStep),
    blocked: writeBlocked(facts, before?.blocked),
    state: writeState(facts, before?.state ?? []),
    decisions: writeDecisions(decisions),
    nextSteps: writeNextSteps({ ...facts, turns }, before?.nextSteps ?? []).flatMap((step) =>
      linesOf([step], rankOfStep(step)),
    ),
    context: writeContext(facts, before?.context ?? []),
  }
}

const rankOfStep = ({ head }: Statement): number => {
  if (head.startsWith(STEP_LABELS.left)) return RANK.left
  return isWholeStep(head) ? RANK.quoted : RANK.nextStep
}

/** The maximum number of statements of each kind, so that an extract stays readable. The newest stay. */
const MAX = { done: 120, inProgress: 16, decisions: 40 }

/** How many of the newest decisions come before all details. */
const ESSENTIAL_DECISIONS = 8

/** Returns the lines of what was done: of earlier ones, those that may still be open stay as long as the newest. */
const writeDone = (done: readonly Statement[]): RankedLine[] =>
  withLegend(
    LEGENDS.done,
    keepNewest(done, { kind: 'turn', essential: NEWEST_TURNS, rank: RANK.done, lasts: isUnsettled }),
  )

/** Returns the lines of decisions: those of an earlier summary hold, so that they stay. */
const writeDecisions = (decisions: readonly Statement[]): RankedLine[] =>
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

/** Returns what waits for somebody, and what else an earlier summary says is blocked. */
const writeBlocked = ({ waiting }: SessionFacts, before: readonly string[] = []): RankedLine[] => [
  ...linesOf(
    waiting.map((sentence) => ({ head: writeWaiting(sentence) })),
    RANK.nextStep,
  ),
  ...linesOf(carry(before.filter((text) => readWaiting(text) === undefined)), RANK.carried),
]

/** Whether a statement among what is done is about open work, as those below `## Early Progress` may be. */
const isOpenBefore = (statement: string): boolean => isOpenTurn(statement) || LAST_CALL.test(statement)

/** Returns the earlier statements about open work. An earlier last call is not the last one if something follows it. */
function openBefore({ turns, lastCall }: SessionFacts, before: ParsedSummary['statements'] | undefined): string[] {
  const open = [...(before?.done ?? []).filter(isOpenBefore), ...(before?.inProgress ?? [])]
  return turns.length === 0 && lastCall === undefined ? open : open.filter((statement) => !LAST_CALL.test(statement))
}

/** Returns the messages of the requests that stand among open work: the newest one, those that nothing was answered after, and some before them. */
function openRequests(items: readonly WorkItem[]): ReadonlySet<number> {
  const newest = newestRequest(items)
  const open = items.filter((item) => item.kind === 'request' && (!item.isOlder || item === newest))
  return new Set([...open.map(({ at }) => at), ...passedRequests(items)])
}

/** Returns the open turns since the newest request that was answered, the newest turn if it is open, and the last call. */
function writeInProgress({ lastCall, turns, work, stand }: SessionFacts): Statement[] {
  const newest = newestRequest(work.items)
  const open = turns.filter(
    (turn) =>
      isOpen(turn) &&
      (turn.request !== '' || turn.changedFiles.length + turn.passages.length > 0) &&
      (turn.standing?.isOlder !== true || turn.standing.at === newest?.at),
  )
  return [
    ...open.map((turn) =>
      writeOpenTurn(
        turn === turns.at(-1) ? withStand(turn, { stand, work }) : turn,
        writeOpenParts(work.items, turn.standing),
      ),
    ),
    ...(work.following === undefined
      ? []
      : [{ head: `- [ ] ${shorten(work.following, MAX_REQUEST_CHARACTERS)}${GOES_ON_BELOW}` }]),
    ...(lastCall === undefined ? [] : [{ head: `- Last tool call: ${lastCall}` }]),
  ]
}

/** Returns the last turn without the words that stand among the next steps. */
function withStand(turn: TurnFact, { stand, work }: Pick<SessionFacts, 'stand' | 'work'>): TurnFact {
  const outcome = work.isInTurn && turn.outcome === stand.lastWords ? shortName(turn.outcome) : turn.outcome
  const { lastWords = '' } = stand
  const others = turn.passages.filter(
    (passage) => !lastWords.startsWith(passage.text.slice(0, MAX_COMPARED_CHARACTERS)),
  )
  return { ...turn, outcome, passages: others }
}

const MAX_COMPARED_CHARACTERS = 60
