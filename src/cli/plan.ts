import type { PlanReply } from '../client/client.ts'
import { contextOf, counted, describeContext, describeKept, OUTSIDE } from '../text/numbers.ts'
import { numberOf, optionTextOf, type Values } from './read-arguments.ts'
import type { Cli } from './cli.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { openService } from './service.ts'
import { withoutControls } from '../text/controls.ts'
import type { Terminal } from './terminal.ts'

/** The window that is assumed if the user names none: that of several models of agents. */
const DEFAULT_WINDOW = 200_000

/** `precis plan`: prints what a compaction would do. */
export async function plan(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  const query = {
    contextWindow: windowOf(values),
    keepRecentTokens: numberOf(values, 'keep'),
    format: optionTextOf(values, 'format'),
  }
  const document = await readSession(findNamedSession(argument, cli))
  const service = await openService({ url: optionTextOf(values, 'url'), env: cli.env })
  try {
    const reply = await service.client.plan(document, { query })
    if (values['json'] === true) await cli.terminal.printJson(reply)
    else await cli.terminal.print(writePlan(reply, cli.terminal))
  } finally {
    await service.close()
  }
}

/** Returns the context window of the agent's model, in tokens. @throws CliError */
export const windowOf = (values: Values): number => numberOf(values, 'window', { least: 1 }) ?? DEFAULT_WINDOW

/** Returns what a user of the command line can do: it has no command that only removes old tool outputs. */
export const adviceOf = (action: PlanReply['action']): 'none' | 'compact' => (action === 'none' ? 'none' : 'compact')

function writePlan(plan: PlanReply, { paint }: Terminal): string {
  const { action, reason, thresholdTokens, entries, keep, prune } = plan
  const { firstKeptEntryId, isSplitTurn } = plan
  const regions = ['covered', 'summarized', 'turn-prefix', 'kept'].map((name) => {
    const inRegion = entries.filter(({ region }) => region === name)
    return `${name} ${inRegion.length} (${counted(
      inRegion.reduce((sum, { tokens }) => sum + tokens, 0),
      'token',
    )})`
  })
  const format = plan.report?.format
  const context = contextOf(plan)
  const rows = [
    ...(format === undefined ? [] : [['Session', format]]),
    ['Context', describeContext(context)],
    ...(context.outside > 0 ? [['More', OUTSIDE]] : []),
    ['Compact', `above ${thresholdTokens === null ? '?' : counted(thresholdTokens, 'token')} in all`],
    ['Advice', paint(action === 'none' ? 'green' : 'yellow', `${adviceOf(action)} (${reason})`)],
    ['Entries', regions.join(', ')],
    [
      'Cut',
      firstKeptEntryId === null
        ? 'nothing to compact'
        : `before ${firstKeptEntryId}${isSplitTurn ? ', inside a turn' : ''}`,
    ],
    ['Kept', describeKept(keep)],
    ...(plan.hasPreviousSummary ? [['Earlier', 'an earlier summary is updated']] : []),
    [
      'Prune',
      `${counted(prune.count, 'tool output')}, ${counted(prune.tokensSaved, 'token')} (POST /prune removes them)`,
    ],
  ]
  return rows.map(([name = '', text = '']) => `${paint('bold', name.padEnd(9))} ${withoutControls(text)}\n`).join('')
}
