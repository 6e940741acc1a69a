import type { Client, PlanReply } from '../../client/client.ts'
import type { PreparedSummary } from '../../jobs/background-summaries.ts'
import { untilAborted } from '../../runtime/abort.ts'
import { writerNamed } from '../commands-that-write.ts'
import { readSession } from '../find-session.ts'
import { callsPerDayOf, openPreparing, wantsPreparation } from '../prepared/open-preparing.ts'
import { createStateFolder, stateFolderOf } from '../prepared/state-folder.ts'
import { WatcherClaim } from '../prepared/watcher-claim.ts'
import { hasWriter, optionTextOf } from '../read-arguments.ts'
import { LONGEST_MS, openService } from '../service.ts'
import { pauseAfter } from '../watch/pause.ts'
import { namedSessionOf, summaryQueryOf, windowOfEvent, windowQueryOf, type AgentEvent } from './agent-event.ts'
import { LEAST_BYTES_PER_TOKEN } from './start-preparation.ts'

/** How often the claim of this process is extended. */
const EXTEND_MS = 15_000

/** Prepares the summary of a session, if its plan says so: what `precis watch` does for one session, once. @throws CliError */
export async function prepareNow(event: AgentEvent): Promise<void> {
  const { values, cli } = event
  const url = optionTextOf(values, 'url')
  if (url !== undefined) {
    const { client } = await openService({ url, env: cli.env, mustProve: true })
    const { document, plan } = await planOf(event, client)
    if (wantsPreparation(plan)) await client.prepare(document, { query: queryOf(event) })
    noteSize(event, document.length, plan)
    return
  }
  if (!hasWriter(values)) return
  const path = stateFolderOf(cli)
  createStateFolder(path)
  const claim = new WatcherClaim({ path, now: Date.now })
  // Another process prepares summaries now: `precis watch`, or the hook of another session.
  if (claim.livingOther() !== undefined) return
  claim.take()
  const timer = setInterval(() => claim.extend(), EXTEND_MS)
  try {
    await prepareInFolder(event, path)
  } finally {
    clearInterval(timer)
    claim.release()
  }
}

async function prepareInFolder(event: AgentEvent, path: string): Promise<void> {
  const { values, cli, notes } = event
  let end: (summary: PreparedSummary) => void = () => undefined
  const ended = new Promise<PreparedSummary>((resolve) => (end = resolve))
  const writer = { ...writerNamed(values, cli), env: cli.env }
  const onPrepared = (summary: PreparedSummary): void => end(summary)
  const { service, calls } = await openPreparing(writer, { path, now: Date.now, onPrepared })
  try {
    const { client } = service
    const { document, plan } = await planOf(event, client)
    const isAffordable = calls.today() + Math.max(1, plan.windows) <= callsPerDayOf(values)
    if (wantsPreparation(plan) && isAffordable) {
      // What has no room on the disk is known before a model is paid.
      calls.save()
      const { state } = await client.prepare(document, { query: queryOf(event) })
      const late = AbortSignal.timeout(LONGEST_MS)
      const summary = state === 'preparing' ? await untilAborted(ended, late).catch(() => undefined) : undefined
      if (state === 'preparing' && summary?.outcome !== 'ready') {
        noteFailure(event)
        return
      }
    }
    noteSize(event, document.length, plan)
  } catch (error) {
    notes.write({ ...notes.read(), nextMs: Date.now() + EXTEND_MS })
    throw error
  } finally {
    await service.close()
  }
}

const queryOf = (event: AgentEvent) => ({ ...summaryQueryOf(event), ...windowQueryOf(event) })

async function planOf(event: AgentEvent, client: Client): Promise<{ document: Buffer; plan: PlanReply }> {
  const document = await readSession(namedSessionOf(event), event.cli)
  return { document, plan: await client.plan(document, { query: queryOf(event) }) }
}

/** The share of the window by which a session grows until it is prepared again. */
const STEP_SHARE = 0.15

/** When a summary is prepared first, as a share of the threshold: the default of `prepareAt`. */
const PREPARE_AT = 0.7

/** Notes from which size on the session is worth reading again. */
function noteSize(
  event: AgentEvent,
  bytes: number,
  { thresholdTokens, contextTokens, contextWindow }: PlanReply,
): void {
  const untilFirst = PREPARE_AT * (thresholdTokens ?? 0) - contextTokens
  const tokens = untilFirst > 0 ? untilFirst : STEP_SHARE * (contextWindow ?? windowOfEvent(event))
  event.notes.write({ ...event.notes.read(), bytes, nextBytes: bytes + LEAST_BYTES_PER_TOKEN * tokens, failures: 0 })
}

function noteFailure({ notes }: AgentEvent): void {
  const note = notes.read()
  const { failures, untilMs } = pauseAfter({ failures: note.failures ?? 0, untilMs: 0 }, Date.now())
  notes.write({ ...note, failures, nextMs: untilMs })
}
