import { findErrors } from '../extract/find-errors.ts'
import { endedRuns, outcomeOf, outputOf, type EndedRun, type ToolRuns } from '../extract/runs.ts'
import { findDecisions } from '../extract/statements.ts'
import type { CompactionPlan } from '../plan/plan-compaction.ts'
import type { WorkDetails } from '../schemas/details.ts'
import { textOf, type Message } from '../session/message.ts'
import { oneLine, shorten } from '../text/shorten.ts'

const MAX_COMMANDS = 20

const LINE_CHARACTERS = 300

/** Returns the work in the summarized messages of a plan: the details that a request can ask for (`"details": "full"`). */
export function describeWork(
  { history, turnPrefix }: Pick<CompactionPlan, 'history' | 'turnPrefix'>,
  runs: ToolRuns,
): WorkDetails {
  const entries = [...history, ...turnPrefix]
  const ended = endedRuns({ messages: entries.map(({ message }) => message), runs })
  return {
    keyDecisions: entries.flatMap(({ id, message }) => decisionsOf(message).map((text) => ({ text, entryId: id }))),
    commands: ended
      .filter(({ command }) => command !== undefined)
      .slice(-MAX_COMMANDS)
      .map(describeCommand),
    errors: findLastErrors(ended),
  }
}

const decisionsOf = (message: Message): string[] =>
  message.role === 'assistant'
    ? findDecisions(textOf(message.content)).map((text) => shorten(text, LINE_CHARACTERS))
    : []

function describeCommand(run: EndedRun): WorkDetails['commands'][number] {
  const { exitCode = run.result.exitCode } = outcomeOf(run)
  return {
    command: shorten(oneLine(run.command ?? ''), LINE_CHARACTERS),
    ...(exitCode === undefined ? {} : { exitCode }),
    failed: hasFailed(run),
  }
}

const MAX_ERRORS = 10

/** Returns the last error line of each failure. */
const findLastErrors = (runs: readonly EndedRun[]): string[] =>
  runs.flatMap((run) => (hasFailed(run) ? findErrors(outputOf(run), 1) : [])).slice(-MAX_ERRORS)

const hasFailed = (run: EndedRun): boolean => outcomeOf(run).kind === 'failed'
