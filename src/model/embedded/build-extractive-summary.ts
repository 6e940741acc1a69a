import type { CommandFact, SessionFacts, TurnFact } from './facts.ts'
import { emptyExtractiveSummary, type RankedLine, type ExtractiveSummary } from './extractive-summary.ts'
import { GOAL_LABELS, type ParsedSummary } from './parse-summary.ts'
import { shorten } from '../../text/shorten.ts'

/** Merges the statements of an earlier summary with the new facts: the newest state wins, and nothing occurs twice. */
export function buildExtractiveSummary(facts: SessionFacts, previous?: ParsedSummary): ExtractiveSummary {
  const before = previous?.statements
  const turns = facts.turns.filter((turn) => turn.request !== '' || turn.outcome !== '' || turn.changedFiles.length > 0)
  const done = turns
    .filter(({ isFinished }) => isFinished)
    .map((turn) => `${isNote(turn) ? '-' : '- [x]'} ${writeTurn(turn)}`)
  const open = turns
    .filter(({ isFinished }) => !isFinished)
    .flatMap((turn) => [...bullets(turn.steps), `- [ ] ${writeTurn(turn)}`])
  const hasNewSteps = facts.nextSteps.length > 0
  return {
    ...emptyExtractiveSummary(),
    goal: writeGoal(facts, previous),
    constraints: lines(merge(before?.constraints, bullets(facts.constraints), MAX.constraints), RANK.constraint),
    done: byAge(merge(before?.done, done, MAX.done), RANK.done),
    inProgress: lines(merge(before?.inProgress, open, MAX.inProgress), RANK.nextStep),
    pending: lines(before?.pending ?? [], RANK.nextStep),
    blocked: lines(before?.blocked ?? [], RANK.carried),
    decisions: byAge(merge(before?.decisions, bullets(facts.decisions), MAX.decisions), RANK.decision),
    nextSteps: lines(
      hasNewSteps ? bullets(facts.nextSteps).slice(-MAX.nextSteps) : (before?.nextSteps ?? []),
      RANK.nextStep,
    ),
    context: writeContext(facts, before?.context ?? []),
  }
}

/** The priority of lines when room is short: the lowest stay longest. */
const RANK = {
  request: 0,
  constraint: 1,
  error: 2,
  failure: 2,
  decision: 4,
  nextStep: 3,
  carried: 3,
  done: 5,
  success: 8,
}

/** The maximum number of lines of each kind, so that an extract stays readable. The newest stay. */
const MAX = {
  constraints: 60,
  done: 60,
  inProgress: 16,
  decisions: 25,
  nextSteps: 10,
  commands: 24,
  errors: 8,
  context: 40,
}

/** Whether a turn is a note, without a request and without changed files. */
const isNote = ({ request, changedFiles }: TurnFact): boolean => request === '' && changedFiles.length === 0

const bullets = (texts: readonly string[]): string[] => texts.map((text) => `- ${text}`)

const lines = (texts: readonly string[], rank: number): RankedLine[] => texts.map((text) => ({ text, rank }))

/** Ranks older statements higher, so that they are left out before newer ones. */
const byAge = (texts: readonly string[], rank: number): RankedLine[] =>
  texts.map((text, index) => ({ text, rank: rank + (texts.length - index) / 100 }))

const merge = (before: readonly string[] = [], after: readonly string[], max: number): string[] =>
  mergeStatements(before, after).slice(-max)

/** Merges two lists of statements, older first; a statement of both lists occurs once, in its newer form. */
function mergeStatements(before: readonly string[], after: readonly string[]): string[] {
  const merged = new Map<string, string>()
  for (const statement of [...before, ...after]) {
    const key = keyOf(statement)
    if (key === '') continue
    merged.delete(key)
    merged.set(key, statement)
  }
  return [...merged.values()]
}

/** Returns a key that is equal for equal statements; list marks, case, emphasis and white space do not count. */
const keyOf = (statement: string): string =>
  statement
    .replace(/^(?:[-*+]|\d+\.)\s+/, '')
    .replace(/^\[[ xX]\]\s*/, '')
    .replace(/[*_`"'.]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const MAX_GOAL_CHARACTERS = 1500

function writeGoal({ firstRequest, newestRequest }: SessionFacts, previous: ParsedSummary | undefined): RankedLine[] {
  const first = previous?.firstRequest ?? previous?.newestRequest ?? (previous === undefined ? firstRequest : undefined)
  const newest = newestRequest ?? previous?.newestRequest ?? first
  const earlier = shorten((previous?.goal ?? []).join('\n'), MAX_GOAL_CHARACTERS)
  const labelled = [
    [GOAL_LABELS.earlier, earlier],
    [GOAL_LABELS.first, first === newest ? '' : (first ?? '')],
    [GOAL_LABELS.newest, newest ?? ''],
  ]
  return lines(
    labelled.filter(([, text]) => text !== '').map(([label, text]) => `${label}\n${text}\n`),
    RANK.request,
  )
}

function writeTurn({ request, outcome, changedFiles }: TurnFact): string {
  const files = changedFiles.length === 0 ? '' : ` [${changedFiles.join(', ')}]`
  return `${[request, outcome].filter((text) => text !== '').join(' => ')}${files}`
}

const ERROR = /^- Error: /
const COMMAND = /^- `(.*)`: (?:ok|failed)/
const QUESTION = /^- Unanswered: /

/** Writes the context. Earlier commands and errors are recognized by their form, and updated. */
function writeContext({ commands, errors, openQuestion }: SessionFacts, before: string[]): RankedLine[] {
  const rerun = new Set(commands.map(({ command }) => command))
  const carriedCommands = before.filter((line) => COMMAND.test(line) && !rerun.has(COMMAND.exec(line)?.[1] ?? ''))
  const carried = before.filter((line) => !COMMAND.test(line) && !ERROR.test(line) && !QUESTION.test(line))
  const allErrors = merge(
    before.filter((line) => ERROR.test(line)),
    errors.map((line) => `- Error: ${line}`),
    MAX.errors,
  )
  const allCommands = [...carriedCommands, ...commands.map(writeCommand)]
  const failed = allCommands.filter((line) => !line.endsWith(': ok')).slice(-MAX.commands)
  const passed = allCommands.filter((line) => line.endsWith(': ok')).slice(-MAX.commands)
  return [
    ...lines(openQuestion === undefined ? [] : [`- Unanswered: ${openQuestion}`], RANK.request),
    ...lines(carried.slice(-MAX.context), RANK.carried),
    ...lines(allErrors, RANK.error),
    ...byAge(failed, RANK.failure),
    ...byAge(passed, RANK.success),
  ]
}

const writeCommand = ({ command, failure }: CommandFact): string =>
  `- \`${command}\`: ${failure === undefined ? 'ok' : `failed (${failure})`}`
