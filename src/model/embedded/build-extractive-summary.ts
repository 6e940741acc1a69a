import { isForRequest } from '../../extract/demands.ts'
import { newestWordings } from '../../extract/said-lines.ts'
import { DEMAND, isLastingDemand } from '../../extract/words.ts'
import { describePassages, describePlan, shortenPath, SOURCES } from './describe-details.ts'
import { emptyExtractiveSummary, type ExtractiveSummary } from './extractive-summary.ts'
import type { SessionFacts, TurnFact } from './facts.ts'
import type { ParsedSummary } from './parse-summary.ts'
import { bullets, carry, keepNewest, linesOf, merge, RANK, type RankedLine, type Statement } from './ranked-lines.ts'
import { quoteSectionLines } from '../../text/sections.ts'
import { shorten } from '../../text/shorten.ts'
import { GOAL_LABELS } from '../../text/summary-headings.ts'
import { LEGENDS } from './summary-parts.ts'
import { LAST_CALL, writeContext, writeState } from './write-context.ts'

/** Merges the statements of an earlier summary with the new facts: the newest state wins, and nothing occurs twice. */
export function buildExtractiveSummary(facts: SessionFacts, previous?: ParsedSummary): ExtractiveSummary {
  const before = previous?.statements
  const { turns, inProgress } = continueTurn(facts.turns.filter(saysSomething), openBefore(facts, before))
  const finished = before?.done.filter((statement) => !isOpen(statement))
  const done = merge(finished, writeDone(turns), MAX.done)
  const decisions = merge(before?.decisions, bullets(facts.decisions), MAX.decisions)
  return {
    ...emptyExtractiveSummary(),
    goal: writeGoal(facts, previous),
    constraints: linesOf(writeConstraints(facts, previous), RANK.constraint),
    done: withLegend(LEGENDS.done, keepNewest(done, { kind: 'turn', essential: ESSENTIAL.done, rank: RANK.done })),
    inProgress: linesOf(merge(inProgress, writeOpen(facts, turns), MAX.inProgress), RANK.nextStep),
    pending: linesOf(carry(before?.pending), RANK.nextStep),
    blocked: linesOf(carry(before?.blocked), RANK.carried),
    state: writeState(facts, before?.state ?? []),
    decisions: withLegend(
      LEGENDS.decisions,
      keepNewest(decisions, { kind: 'decision', essential: ESSENTIAL.decisions, rank: RANK.decision }),
    ),
    nextSteps: writeNextSteps(facts, before?.nextSteps ?? []),
    context: writeContext(facts, before?.context ?? []),
  }
}

/**
 * Returns the demands of an earlier summary with the new ones, each once in its newest wording. Of an earlier extract, those for
 * one request are not carried on.
 */
function writeConstraints(
  { constraints, newestRequest }: SessionFacts,
  previous: ParsedSummary | undefined,
): Statement[] {
  const isExtract = previous?.newestRequest !== undefined
  const before = (previous?.statements.constraints ?? []).filter((text) =>
    isExtract ? isLastingDemand(text) || !DEMAND.test(text) : newestRequest === undefined || !isForRequest(text),
  )
  const all = merge(before, bullets(constraints), MAX.constraints)
  const kept = new Set(newestWordings(all.map(({ head }) => head)))
  return all.filter(({ head }) => kept.has(head))
}

/** The maximum number of statements of each kind, so that an extract stays readable. The newest stay. */
const MAX = { constraints: 60, done: 120, inProgress: 16, decisions: 40, nextSteps: 10 }

/** How many of the newest statements come before all details. */
const ESSENTIAL = { done: 12, decisions: 8 }

const OPEN_TURN = /^- \[ \] (.+)/

/** Whether a statement is about open work, as those below `## Early Progress` may be. */
const isOpen = (statement: string): boolean => OPEN_TURN.test(statement) || LAST_CALL.test(statement)

/** Returns the earlier statements about open work. An earlier last call is not the last one if something follows it. */
function openBefore({ turns, lastCall }: SessionFacts, before: ParsedSummary['statements'] | undefined): string[] {
  const open = [...(before?.done ?? []).filter(isOpen), ...(before?.inProgress ?? [])]
  return turns.length === 0 && lastCall === undefined ? open : open.filter((statement) => !LAST_CALL.test(statement))
}

/**
 * Returns the turns, the first one with the request that an earlier compaction has cut from it, and the statements about
 * other open requests.
 */
function continueTurn(turns: readonly TurnFact[], open: readonly string[]) {
  const at = open.findLastIndex((statement) => OPEN_TURN.test(statement))
  const [first, ...others] = turns
  if (at < 0 || first === undefined || first.request !== '') return { turns, inProgress: open }
  const [, request = ''] = OPEN_TURN.exec(open[at] ?? '') ?? []
  return { turns: [{ ...first, request: withoutOutcome(request) }, ...others], inProgress: open.toSpliced(at, 1) }
}

/** Returns the request in a line that `writeTurn` has written. */
const withoutOutcome = (line: string): string => {
  const end = line.lastIndexOf(OUTCOME_MARK)
  const request = (end < 0 ? line : line.slice(0, end)).replace(/ \[[^[\]]{0,300}\]$/, '')
  return request === NO_WORDS ? '' : request
}

/** What stands for a request and an answer where only the changed files are known. */
const NO_WORDS = 'Changed files:'

const OUTCOME_MARK = ' => '

/** Commands of a client, and words to an agent that did nothing, are not worth a line. */
const MIN_REQUEST_CHARACTERS = 24

const saysSomething = ({ request, outcome, changedFiles, isFinished }: TurnFact): boolean =>
  outcome !== '' || changedFiles.length > 0 || request.length >= (isFinished ? MIN_REQUEST_CHARACTERS : 1)

/** Whether a turn is a note, without a request and without changed files. */
const isNote = ({ request, changedFiles }: TurnFact): boolean => request === '' && changedFiles.length === 0

/** A few statements need no explanation. */
const MIN_STATEMENTS_WITH_LEGEND = 4

const withLegend = (legend: string, lines: RankedLine[]): RankedLine[] =>
  lines.filter(({ parent }) => parent === undefined).length < MIN_STATEMENTS_WITH_LEGEND &&
  lines.length < 3 * MIN_STATEMENTS_WITH_LEGEND
    ? lines
    : [{ text: legend, rank: RANK.decision }, ...lines]

const MAX_GOAL_CHARACTERS = 1500

function writeGoal({ firstRequest, newestRequest }: SessionFacts, previous: ParsedSummary | undefined): RankedLine[] {
  const first = previous?.firstRequest ?? previous?.newestRequest ?? (previous === undefined ? firstRequest : undefined)
  const newest = newestRequest ?? previous?.newestRequest ?? first
  const earlier = shorten((previous?.goal ?? []).join('\n'), MAX_GOAL_CHARACTERS)
  const labelled: [label: string, text: string][] = [
    [GOAL_LABELS.earlier, earlier],
    [GOAL_LABELS.first, first === newest ? '' : (first ?? '')],
    [GOAL_LABELS.newest, newest ?? ''],
  ]
  // A pasted plan may have our headings: the next compaction would read them as sections.
  return labelled
    .filter(([, text]) => text !== '')
    .map(([label, text]) => ({ text: `${label}\n${quoteSectionLines(text)}\n`, rank: RANK.request }))
}

/** Older turns are shorter. */
const LENGTHS = { newest: { outcome: 320, paths: 6 }, older: { outcome: 130, paths: 3 } }

function writeDone(turns: readonly TurnFact[]): Statement[] {
  const done = turns.filter(({ isFinished }) => isFinished)
  return done.map((turn, index) => {
    const lengths = index >= done.length - ESSENTIAL.done ? LENGTHS.newest : LENGTHS.older
    return { head: `${isNote(turn) ? '-' : '- [x]'} ${writeTurn(turn, lengths)}`, ...describePassages(turn) }
  })
}

function writeTurn({ request, outcome, changedFiles }: TurnFact, lengths: (typeof LENGTHS)['newest']): string {
  const shown = changedFiles.slice(-lengths.paths).map(shortenPath)
  const more = changedFiles.length > shown.length ? `, and ${changedFiles.length - shown.length} more` : ''
  const files = shown.length === 0 ? '' : ` [${shown.join(', ')}${more}]`
  const words = shorten(outcome, lengths.outcome)
  return `${[request, words].filter((text) => text !== '').join(OUTCOME_MARK) || NO_WORDS}${files}`
}

function writeOpen({ lastCall }: SessionFacts, turns: readonly TurnFact[]): Statement[] {
  const open = turns
    .filter(({ isFinished }) => !isFinished)
    .map((turn): Statement => ({ head: `- [ ] ${writeTurn(turn, LENGTHS.newest)}`, ...describePassages(turn) }))
  return lastCall === undefined ? open : [...open, { head: `- Last tool call: ${lastCall}` }]
}

function writeNextSteps({ plan, nextSteps }: SessionFacts, before: readonly string[]): RankedLine[] {
  const plans = before.filter((text) => SOURCES.plan.test(text))
  const steps = before.filter((text) => !SOURCES.plan.test(text) && !LAST_CALL.test(text))
  return [
    ...linesOf(plan === undefined ? carry(plans) : [describePlan(plan)], RANK.nextStep),
    ...linesOf(nextSteps.length > 0 ? bullets(nextSteps).slice(-MAX.nextSteps) : carry(steps), RANK.nextStep),
  ]
}
