import { findErrors } from '../extract/find-errors.ts'
import { commandFilesOf, endedRuns, outcomeOf, outputOf, type EndedRun, type ToolRuns } from '../extract/runs.ts'
import { findDecisions } from '../extract/statements.ts'
import { PATH_ARGUMENTS } from '../files/paths.ts'
import type { CompactionPlan } from '../plan/plan-compaction.ts'
import type { FullDetails } from '../schemas/details.ts'
import { fieldsOf, type FileLists } from '../session/entry.ts'
import { textOf, toolCallsOf, type Message, type ToolCallBlock } from '../session/message.ts'
import { oneLine, shorten } from '../text/shorten.ts'

/**
 * Returns the details that a request can ask for (`"details": "full"`): the file lists, the work in the summarized
 * messages, and the tokens that the compaction saved. What is outside the messages stays in the context.
 * @param sizes as in the reply
 */
export const fullDetails = (
  details: FileLists & WorkDetails,
  sizes: { tokensBefore: number; tokensAfter: number; tokensOutside: number },
): FileLists & FullDetails => {
  const { tokensBefore } = sizes
  const after = sizes.tokensAfter + sizes.tokensOutside
  return {
    ...details,
    tokensSaved: tokensBefore - after,
    compressionRatio: tokensBefore === 0 ? 1 : after / tokensBefore,
  }
}

/** The part of the details that does not depend on the summary. */
export type WorkDetails = Omit<FullDetails, 'tokensSaved' | 'compressionRatio'>

const MAX_COMMANDS = 20

const LINE_CHARACTERS = 300

/** Describes the work in the summarized messages of a plan, without a model (docs/contract.md, "Reply 200"). */
export function describeWork(
  { history, turnPrefix }: Pick<CompactionPlan, 'history' | 'turnPrefix'>,
  runs: ToolRuns,
): WorkDetails {
  const entries: readonly Source[] = [...history, ...turnPrefix]
  const ended = endedRuns({ messages: entries.map(({ message }) => message), runs })
  const ran = ended.filter(({ command }) => command !== undefined)
  const files = ran.filter((run) => !hasFailed(run)).map(commandFilesOf)
  return {
    keyDecisions: entries.flatMap(({ id, message }) => decisionsOf(message).map((text) => ({ text, entryId: id }))),
    toolsUsed: countTools(entries, runs),
    commands: ran.slice(-MAX_COMMANDS).map(describeCommand),
    errors: findLastErrors(ended),
    filesFromCommands: {
      read: distinct(files.flatMap(({ read }) => read)),
      modified: distinct(files.flatMap(({ modified }) => modified)),
      deleted: distinct(files.flatMap(({ deleted }) => deleted)),
      renamed: files.flatMap(({ renamed }) => renamed),
    },
    coveredEntryIds: [entries[0], entries.at(-1)].flatMap((entry) => entry?.id ?? []),
  }
}

/** An entry that contributes a message. */
interface Source {
  id: string
  message: Message
}

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)].sort()

const decisionsOf = (message: Message): string[] =>
  message.role === 'assistant'
    ? findDecisions(textOf(message.content)).map((text) => shorten(text, LINE_CHARACTERS))
    : []

const NOTABLE_USES = 3

function countTools(entries: readonly Source[], runs: ToolRuns): WorkDetails['toolsUsed'] {
  const uses = new Map<string, { count: number; notable: Set<string> }>()
  for (const call of entries.flatMap(({ message }) => toolCallsOf(message))) {
    const use = uses.get(call.name) ?? { count: 0, notable: new Set() }
    const what = describeCall(call, runs.get(call)?.command)
    use.count += 1
    if (what !== undefined && use.notable.size < NOTABLE_USES) use.notable.add(what)
    uses.set(call.name, use)
  }
  return [...uses].map(([tool, { count, notable }]) => ({ tool, count, notableUses: [...notable] }))
}

const USE_CHARACTERS = 120

/** Describes a call in a few words: its command, its path, or its first text. */
function describeCall({ arguments: values }: ToolCallBlock, command: string | undefined): string | undefined {
  const fields = fieldsOf(values)
  const texts = [command, ...PATH_ARGUMENTS.map((key) => fields[key]), ...Object.values(fields)]
  const text = texts.find((value): value is string => typeof value === 'string' && value !== '')
  return text === undefined ? undefined : shorten(oneLine(text), USE_CHARACTERS)
}

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
