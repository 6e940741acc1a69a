import { setTimeout as wait } from 'node:timers/promises'
import { markOf, tokensOfEntry } from './replayed-session.ts'
import type { Replicas, Reply } from './replicas.ts'
import type { SessionEntry } from './session-entry.ts'

/** How a session is replayed. */
export interface Replay {
  replicas: Replicas
  windowTokens: number
  caller: number
  /** Whether what the plan says is prepared. */
  isPreparing: boolean
  /** The time in which the agent adds a token, in milliseconds; 0: it waits for each preparation. */
  tokenMs: number
}

/** One compaction of a replay. */
export interface ReplayedCompaction {
  use: 'whole' | 'earlier' | 'none'
  /** Whether the plan just before it said that its summary is there. */
  isReady: boolean
  /** The time of the compaction, less that of the plan just before it. */
  waitMs: number
  planMs: number
  isWrong: boolean
}

/**
 * The share of the window that is added between two plans: of an agent that goes on, and of one that waits. From this share of
 * the window on, a plan is asked for.
 */
const STEP_SHARE = 0.02
const WAITING_STEP_SHARE = 0.05
const FROM_SHARE = 0.5

/**
 * Replays a session as an agent has it: after each step it asks for the plan, prepares or compacts as that says, and goes on with
 * the compacted session.
 */
export async function replay(session: readonly SessionEntry[], options: Replay): Promise<ReplayedCompaction[]> {
  const { windowTokens, isPreparing, tokenMs, replicas, caller } = options
  const stepTokens = windowTokens * (tokenMs === 0 ? WAITING_STEP_SHARE : STEP_SHARE)
  const compactions: ReplayedCompaction[] = []
  let branch: SessionEntry[] = []
  let tokens = 0
  let sinceTokens = 0
  for (const entry of session) {
    branch.push({ ...entry, parentId: branch.at(-1)?.id ?? null })
    tokens += tokensOfEntry(entry)
    sinceTokens += tokensOfEntry(entry)
    if (tokens < windowTokens * FROM_SHARE || sinceTokens < stepTokens) continue
    const pauseMs = sinceTokens * tokenMs
    sinceTokens = 0
    const body = bodyOf(branch, windowTokens, isPreparing ? undefined : 'never')
    const plan = await replicas.post('/compaction/plan', caller, body)
    const { action } = plan.json
    if (action === 'prepare' && isPreparing) {
      await replicas.post('/compaction/prepare', caller, body)
      if (tokenMs === 0) await untilReady(replicas, caller, body)
    }
    if (action === 'compact' || action === 'prune') {
      const reply = await replicas.post('/compaction', caller, body)
      if (reply.status !== 200) break
      compactions.push(judge(reply, plan, branch))
      branch = compacted(branch, reply)
      tokens = branch.reduce((sum, one) => sum + tokensOfEntry(one), 0)
    }
    await wait(pauseMs)
  }
  return compactions
}

/** Waits until the summary of a session is written. */
export async function untilReady(replicas: Replicas, caller: number, body: string): Promise<void> {
  for (;;) {
    const { json } = await replicas.post('/compaction/plan', caller, body)
    if ((json['prepared'] as { isReady: boolean } | undefined)?.isReady !== false) return
    await wait(50)
  }
}

/** Returns the body of a request for a session. */
export const bodyOf = (
  entries: readonly SessionEntry[],
  contextWindow: number,
  prepared?: 'never',
  settings?: { keepRecentTokens: number },
): string => JSON.stringify({ entries, settings: { contextWindow, ...settings }, prepared })

function judge({ ms, json }: Reply, plan: Reply, branch: readonly SessionEntry[]): ReplayedCompaction {
  const { summary, report } = json as { summary: string; report: { prepared?: { use: 'whole' | 'earlier' } } }
  const { isReady = false } = (plan.json['prepared'] ?? {}) as { isReady?: boolean }
  const isWrong = markOf(summary) !== markOf(JSON.stringify(branch.find(({ message }) => message?.role === 'user')))
  return { use: report.prepared?.use ?? 'none', isReady, waitMs: ms - plan.ms, planMs: plan.ms, isWrong }
}

/** Returns what an agent has after a compaction: the kept entries, and the summary. */
function compacted(branch: readonly SessionEntry[], { json }: Reply): SessionEntry[] {
  const { firstKeptEntryId, summary, tokensBefore } = json as Record<string, string>
  const kept = branch
    .slice(branch.findIndex(({ id }) => id === firstKeptEntryId))
    .filter(({ type }) => type === 'message')
  const [first, ...others] = kept
  const id = `c-${String(branch.at(-1)?.id)}`
  const compaction = {
    type: 'compaction',
    id,
    parentId: kept.at(-1)?.id ?? null,
    firstKeptEntryId,
    summary,
    tokensBefore,
  }
  return [...(first ? [{ ...first, parentId: null }] : []), ...others, compaction]
}
