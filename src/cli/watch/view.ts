import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import { isFormatId } from '../../agents/detect-format.ts'
import type { PlanReply } from '../../client/client.ts'
import { withoutControls } from '../../text/controls.ts'
import { contextOf, count, counted, OUTSIDE } from '../../text/numbers.ts'
import type { ListedSession } from '../list.ts'
import { alignColumns, writeAge, writeFolder } from '../table-cells.ts'
import { describeFault, type WatchedSession } from './watcher.ts'

/** Whether a summary of a session is prepared. */
export type Preparedness =
  /** No model is named: what is prepared belongs to a model. */
  | 'no-model'
  /** Its messages are too few: there is nothing to compact. */
  | 'too-small'
  /** Below the threshold for preparing. */
  | 'not-yet'
  /** It could be, and this watch prepares none. */
  | 'no'
  /** It waits for its turn, or for the end of a pause. */
  | 'waiting'
  | 'writing'
  | 'ready'
  /** There is one, and a model must read what came after it. */
  | 'older'
  | 'failed'
  /** All model calls of today are used. */
  | 'limit'

/** A row of the table, and an object of `--json`. */
interface WatchRow extends Pick<ListedSession, 'agent' | 'id' | 'path' | 'project' | 'modified' | 'tokens'> {
  /** That of the agent's model; null if the session cannot be read. So are those that follow. */
  contextWindow: number | null
  /** The share of the window that is used, from 0 on. */
  share: number | null
  /** Above it, the session should be compacted. */
  threshold: number | null
  prepared: Preparedness | null
  /** Whether the agent will soon compact the session itself. */
  isNearThreshold: boolean
}

/** The content of the screen. */
export interface View {
  rows: (WatchRow & { name: string })[]
  notes: string[]
}

/** The values on which the rows depend, beside the sessions. */
export interface Shown {
  preparednessOf: (session: WatchedSession) => Preparedness
  /** Returns the command that writes the compaction of a session into it. */
  commandFor: (session: WatchedSession) => string
}

/** From this share of the threshold on, the user is told. Agents compact at about the threshold, some a little before it. */
const NOTICE_SHARE = 0.9

/** Returns the row of a session. */
export function rowOf(session: WatchedSession, { preparednessOf }: Shown): View['rows'][number] {
  const { name, agent, id, path = null, project = null, modifiedMs, plan } = session
  const tokens = tokensOf(session)
  const { thresholdTokens: threshold = null, contextWindow = null } = plan ?? {}
  return {
    ...{ name, agent, id, path, project, modified: new Date(modifiedMs).toISOString(), tokens, contextWindow },
    share: tokens === null || contextWindow === null ? null : Number((tokens / contextWindow).toFixed(3)),
    threshold,
    prepared: plan === undefined ? null : preparednessOf(session),
    isNearThreshold: tokens !== null && threshold !== null && tokens >= NOTICE_SHARE * threshold,
  }
}

/** Returns whether a session without a prepared summary is ready for one. */
export function unpreparedness({ plan }: WatchedSession): 'too-small' | 'not-yet' | 'no' {
  if (plan?.firstKeptEntryId === null) return 'too-small'
  return plan?.action === 'none' ? 'not-yet' : 'no'
}

/** Returns the lines below the table that are about one session. */
export function noticesOf(session: WatchedSession, shown: Shown): string[] {
  const { name, fault, plan } = session
  const { isNearThreshold, tokens, threshold } = rowOf(session, shown)
  const faults = fault === undefined ? [] : [describeFault(session, fault)]
  if (plan === undefined || !isNearThreshold) return faults
  const place = (tokens ?? 0) > (threshold ?? 0) ? 'above' : 'near'
  return [...faults, `${name} is ${place} its threshold. ${adviceFor(session, plan, shown)}`]
}

/** The summary of fewer tokens would hardly be shorter than they are: `precis compact --write` would refuse it. */
const WORTH_COMPACTING_TOKENS = 1000

/** Returns what the user can do about a session near its threshold: no command that would be refused. */
function adviceFor(session: WatchedSession, plan: PlanReply, { commandFor }: Shown): string {
  const { firstKeptEntryId, previousSummaryTokens, tokensKept, report } = plan
  const { messages, outside } = contextOf(plan)
  if (firstKeptEntryId === null || messages - previousSummaryTokens - tokensKept < WORTH_COMPACTING_TOKENS) {
    const others = outside > 0 ? ` The provider counts about ${count(outside)} more (${OUTSIDE}), which stay too.` : ''
    return `There is nothing to compact yet: of its ${counted(messages, 'token')} in messages, ${count(tokensKept)} stay (--keep).${others}`
  }
  const agent: Agent = AGENTS[isFormatId(report?.format) ? report.format : 'pi']
  if (agent.appender === undefined || agent.appender.isBeside === true)
    return 'Its agent will soon compact it: `--write` cannot write into the sessions of this agent.'
  return `Before its agent compacts it, end the agent, and run: ${commandFor(session)}`
}

function tokensOf({ plan }: WatchedSession): number | null {
  if (plan === undefined) return null
  const { messages, outside } = contextOf(plan)
  return messages + outside
}

const HEAD = ['ID', 'AGENT', 'TOKENS', 'WINDOW', 'THRESHOLD', 'PREPARED', 'CHANGED', 'FOLDER']

/** The columns with numbers. */
const RIGHT = [2, 3, 4, 6]

/** Returns the table as lines, the head first. */
export const writeRows = (rows: View['rows'], place: { home: string; nowMs: number }): string[] =>
  alignColumns([HEAD, ...rows.map((row) => cellsOf(row, place))], RIGHT)

function cellsOf(row: View['rows'][number], { home, nowMs }: { home: string; nowMs: number }): string[] {
  const { name, agent, tokens, share, threshold, prepared, modified, project } = row
  return [
    name,
    agent,
    tokens === null ? '-' : count(tokens),
    share === null ? '-' : `${Math.round(share * 100)} %`,
    threshold === null ? '-' : count(threshold),
    prepared === null ? 'unread' : WORDS[prepared],
    writeAge(Math.max(0, nowMs - Date.parse(modified))),
    writeFolder(project, home),
  ].map((cell) => withoutControls(cell).replace(/[\n\t]/g, ' '))
}

const WORDS: Readonly<Record<Preparedness, string>> = {
  'no-model': 'no model',
  'too-small': 'too small',
  'not-yet': 'not yet',
  no: 'no',
  waiting: 'waiting',
  writing: 'writing',
  ready: 'ready',
  older: 'older',
  failed: 'failed',
  limit: 'limit',
}
