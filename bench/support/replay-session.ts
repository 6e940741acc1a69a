import type { SessionEntry } from './session-entry.ts'
import { readContext } from './judge-facts.ts'
import type { Service } from './start-service.ts'

/** The state after one compaction of a replayed session. */
export interface Stage {
  /** The session's own entries so far. */
  entries: SessionEntry[]
  /** The whole text that a model reads now; undefined where `/context` failed. */
  context: string | undefined
  /** The reason why the service did not compact, or why the context is missing. */
  problem?: string
  summaryCharacters: number
  durationMs: number
}

/**
 * Replays a session in equal steps, and compacts after each: the compaction is added to the session as a client does
 * it, and the next entries follow it.
 * @param settings of `POST /compaction`
 */
export async function replaySession(
  entries: readonly SessionEntry[],
  { service, steps, settings }: { service: Service; steps: number; settings: Record<string, number> },
): Promise<Stage[]> {
  const session: SessionEntry[] = []
  const stages: Stage[] = []
  for (let step = 1; step <= steps; step++) {
    const from = Math.round((entries.length * (step - 1)) / steps)
    const to = Math.round((entries.length * step) / steps)
    for (const entry of entries.slice(from, to)) append(session, entry)
    stages.push({ ...(await compact(session, { service, settings, step })), entries: entries.slice(0, to) })
  }
  return stages
}

/** Appends an entry after the last one, which may be a compaction, as a client does. */
function append(session: SessionEntry[], entry: Omit<SessionEntry, 'parentId'>): void {
  session.push({ ...entry, parentId: session.at(-1)?.id ?? null } as SessionEntry)
}

async function compact(
  session: SessionEntry[],
  { service, settings, step }: { service: Service; settings: Record<string, number>; step: number },
): Promise<Omit<Stage, 'entries'>> {
  const startedAt = performance.now()
  const answer = await service.post('/compaction', { entries: session, settings })
  const durationMs = performance.now() - startedAt
  if (answer.ok) {
    const { summary, shortSummary, firstKeptEntryId, details, tokensBefore } = answer.body
    const fields = { summary, shortSummary, firstKeptEntryId, details, tokensBefore }
    append(session, { type: 'compaction', id: `compaction-${step}`, ...fields })
  }
  const context = await service.post('/context', { entries: session })
  const problem = answer.ok ? undefined : answer.problem
  return {
    context: context.ok ? readContext(context.body.messages) : undefined,
    summaryCharacters: answer.ok ? String(answer.body.summary).length : 0,
    durationMs,
    ...(problem === undefined ? {} : { problem }),
  }
}
