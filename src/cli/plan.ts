import type { PlanReply } from '../client/client.ts'
import { withoutControls } from '../text/controls.ts'
import { contextOf, count, counted, describeContext, describeKept, OUTSIDE, percent } from '../text/numbers.ts'
import { REASONS } from '../text/reasons.ts'
import { shorten } from '../text/shorten.ts'
import type { Cli } from './cli.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { numberOf, optionTextOf, type Values } from './read-arguments.ts'
import { DEFAULT_WINDOW, windowOf, type WindowQuery } from './request-query.ts'
import { sayEncrypted, sayUnread } from './say-remarks.ts'
import { withService } from './service.ts'
import type { Terminal } from './terminal.ts'

/** `precis plan`: prints what a compaction would do. */
export async function plan(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  const query = {
    ...windowOf(values),
    keepRecentTokens: numberOf(values, 'keep'),
    format: optionTextOf(values, 'format'),
  }
  const document = await readSession(findNamedSession(argument, cli), cli)
  await withService({ url: optionTextOf(values, 'url'), env: cli.env }, async (client) => {
    const isJson = values['json'] === true
    const reply = await client.plan(document, { query: { ...query, ...(!isJson && { include: 'entries' }) } })
    sayUnread(reply.report, cli.terminal)
    sayEncrypted(reply, cli.terminal)
    if (isJson) await cli.terminal.printJson(reply)
    else await cli.terminal.print(writePlan(reply, query, cli.terminal))
  })
}

/** Returns what a user of the command line is told to do: not every session can be pruned in its file. */
export const adviceOf = (action: PlanReply['action']): 'none' | 'compact' =>
  action === 'none' || action === 'prepare' ? 'none' : 'compact'

/** The regions of a plan in words. That the cut is in the middle of a turn is said where the cut is. */
const REGIONS: readonly [words: string, ...regions: PlanReply['entries'][number]['region'][]][] = [
  ['in the earlier summary', 'covered'],
  ['to summarize', 'summarized', 'turn-prefix'],
  ['that stay', 'kept'],
]

function writePlan(plan: PlanReply, asked: WindowQuery, { paint }: Terminal): string {
  const contextWindow = plan.contextWindow ?? DEFAULT_WINDOW
  const isOfSession = 'defaultContextWindow' in asked && contextWindow !== asked.defaultContextWindow
  const ofWindow = ` (the agent's model: a context window of ${count(contextWindow)}${isOfSession ? ', as the session says' : ''}; --window sets it)`
  const { action, reason, thresholdTokens, keep } = plan
  const context = contextOf(plan)
  const rows = [
    ['Session', formatOf(plan)],
    ['Context', describeContext(context)],
    ...(context.outside > 0
      ? [
          ['More', OUTSIDE],
          ['In all', describeTotal(plan, contextWindow)],
        ]
      : []),
    ['Compact', `above ${thresholdTokens === null ? '?' : counted(thresholdTokens, 'token')} in all${ofWindow}`],
    ['Advice', paint(adviceOf(action) === 'none' ? 'green' : 'yellow', `${adviceOf(action)}: ${REASONS[reason]}`)],
    ['Entries', describeEntries(plan)],
    ...describeEarlier(plan),
    ['Stays', describeCut(plan)],
    ['Kept', describeKept(keep)],
    ...describePrune(plan),
  ]
  return rows.map(([name = '', text = '']) => `${paint('bold', name.padEnd(9))} ${withoutControls(text)}\n`).join('')
}

/** Returns the sum of the two figures. The advice does not count what was outside before a compaction. */
function describeTotal(plan: PlanReply, contextWindow: number): string {
  const { messages, outside } = contextOf(plan)
  const tokens = messages + outside
  const [about, until] =
    plan.lastTokensOutside === undefined
      ? ['', '']
      : ['about ', '. It is estimated until the agent answers: the advice counts only the messages']
  return `${about}${counted(tokens, 'token')}, ${percent(tokens, contextWindow)} % of the window${until}`
}

/** Returns the format of a session: the service names only those of other agents, and numbers the messages of an API. */
const formatOf = ({ report, entries: [first] }: PlanReply): string =>
  report?.format ?? (first?.id === 'm1' ? 'chat' : 'pi')

/** Returns how many entries each region has. Those that are in the context add up to it with the earlier summary. */
function describeEntries({ entries }: PlanReply): string {
  const regions = REGIONS.flatMap(([words, ...names]) => {
    const inRegion = entries.filter(({ region }) => names.includes(region))
    const tokens = counted(
      inRegion.reduce((sum, { tokens }) => sum + tokens, 0),
      'token',
    )
    const remark = names.includes('covered') ? ', no longer in the context' : ''
    return inRegion.length === 0 ? [] : [`${inRegion.length} ${words} (${tokens}${remark})`]
  })
  return regions.length === 0 ? 'none with a message' : regions.join(', ')
}

function describeEarlier({ hasPreviousSummary, previousSummaryTokens, firstKeptEntryId }: PlanReply): string[][] {
  if (!hasPreviousSummary) return []
  const summary = `the earlier summary (${counted(previousSummaryTokens, 'token')}, in the context)`
  return [['Earlier', `${summary} ${firstKeptEntryId === null ? 'stays as it is' : 'is updated'}`]]
}

/** Returns from where on all stays, by the first words of the message: its id says nothing to a user. */
function describeCut({ firstKeptEntryId, isSplitTurn, turnStartEntryId, entries }: PlanReply): string {
  if (firstKeptEntryId === null) return 'all of it: there is nothing to compact'
  const kept = entries.slice(entries.findIndex(({ id }) => id === firstKeptEntryId))
  // The kept region may begin with an entry without a message, such as a change of the model.
  const first = kept.find(({ tokens, region }) => region === 'kept' && tokens > 0)
  const request = entries.find(({ id }) => id === turnStartEntryId)
  const within = isSplitTurn ? `, in the middle of the work on ${quoted(request?.text, 'a request')}` : ''
  return `from ${first?.role === 'user' ? 'your message' : "the agent's message"} ${quoted(first?.text)} on${within} (entry ${firstKeptEntryId})`
}

const WORDS = 60

const quoted = (text = '', otherwise = ''): string => (text === '' ? otherwise : `"${shorten(text, WORDS)}"`)

function describePrune({ prune: { count, tokensSaved } }: PlanReply): string[][] {
  if (count === 0) return []
  const outputs = `${counted(count, 'old tool output')} could go alone, ${counted(tokensSaved, 'token')}`
  return [['Prune', `${outputs}: precis prune does only this, precis compact does more`]]
}
