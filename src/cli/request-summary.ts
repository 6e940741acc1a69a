import type { Client, CompactionReply, SummaryOptions } from '../client/client.ts'
import { defaultKeepTokens } from '../plan/settings.ts'
import { withoutControls } from '../text/controls.ts'
import type { Cli } from './cli.ts'
import { describePlan } from './describe-compaction.ts'
import { editText } from './edit-text.ts'
import { CliError } from './exit.ts'
import type { Terminal } from './terminal.ts'

export type SummaryQuery = NonNullable<SummaryOptions['query']>

/** A session, and what is asked of a service for it. */
export interface SummaryRequest {
  document: Buffer
  query: SummaryQuery
  client: Client
  terminal: Terminal
}

/** Requests a compaction, and shows its progress. */
export function requestSummary(
  { client, document, query, terminal }: SummaryRequest,
  native: boolean,
): Promise<CompactionReply> {
  terminal.show('Reading the session ...')
  return client.compact(document, {
    query: { ...query, ...(native && { native: true }) },
    onPlan: (plan) => terminal.show(describePlan(plan)),
    onProgress: ({ done, total, phase }) =>
      terminal.show(`${phase === 'merge' ? 'Merging the parts' : 'Summarizing'}: ${done} of ${total}`),
  })
}

/** With so small a window, a prepared summary is used only as the earlier one: the edited summary is written with the same cut. */
const NO_OTHER_CUT = 1000

/** Returns a query with the default of the real window, which the session may name, if the user has named none. */
async function withKeepTokens({ client, document, query }: SummaryRequest): Promise<SummaryQuery> {
  if (query['keepRecentTokens'] !== undefined) return query
  const { contextWindow, defaultContextWindow, format } = query
  const { thresholdTokens } = await client.plan(document, { query: { contextWindow, defaultContextWindow, format } })
  return { ...query, keepRecentTokens: defaultKeepTokens(thresholdTokens) }
}

/** Requests a summary, lets the user edit it, and requests the compaction with what is left. @throws CliError */
export async function requestEdited(asked: SummaryRequest, cli: Cli): Promise<CompactionReply> {
  const request = { ...asked, query: await withKeepTokens(asked) }
  const draft = await requestSummary({ ...request, query: { ...request.query, contextWindow: NO_OTHER_CUT } }, false)
  const { terminal } = request
  const print = (text: string) => () => terminal.print(`${withoutControls(text).trimEnd()}\n`)
  const summary = await orPrinted(terminal, print(draft.summary), () => editText(draft.summary, cli))
  if (summary === '') throw new CliError('nothingToCompact', 'The summary was left empty. Nothing was written.')
  return orPrinted(terminal, print(summary), async () => {
    const edited = await requestSummary({ ...request, query: { ...request.query, recall: undefined, summary } }, true)
    if (edited.firstKeptEntryId === draft.firstKeptEntryId) return edited
    throw new CliError(
      'failed',
      'The edited summary would replace other messages than it was written from. Nothing was written.',
    )
  })
}

/** Does something with a summary; if that fails, prints the summary: a model may have been paid for it. */
export async function orPrinted<T>({ say }: Terminal, print: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await print()
    say('The summary could not be written into the session, so it was printed.')
    throw error
  }
}
