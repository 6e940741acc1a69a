import { useRef, useState } from 'preact/hooks'
import type { PlanReply } from '../schemas/plan.ts'
import { hasSummary, type SessionEntry } from './strip-layout.ts'
import { explainNoSession } from './no-session.ts'
import { send, ServiceProblem } from './service.ts'
import { openSessionDocument, writeRequest, type OpenedDocument } from './session-document.ts'
import { useRunning } from './use-running.ts'

/** The settings that the page has controls for. An absent one has the service's default. */
export type PageSettings = Readonly<
  Partial<Record<'keepRecentTokens' | 'contextWindow' | 'thresholdPercent' | 'transcriptTokens', number>>
>

/** Changes of settings; undefined restores the default of a setting. */
export type SettingChanges = Readonly<Partial<Record<keyof PageSettings, number | undefined>>>

export interface OpenedSession {
  document: OpenedDocument
  plan: PlanReply
  entries: readonly SessionEntry[]
  settings: PageSettings
  /** The settings of the plan: a control may have been moved since. */
  planned: PageSettings
  /** How long the last plan took, in milliseconds. */
  planMs: number
}

/** A plan that takes longer is made when a control is released, not while it is moved. */
const LIVE_PLAN_MS = 300

type Planned = Pick<OpenedSession, 'document' | 'settings'> & Partial<OpenedSession>

/** The state of the opened session, and what changes it. */
export function useSession(onProblem: (problem: unknown) => void) {
  const { value: session, latest, show } = useLatest<OpenedSession>()
  const { busy, stop, replan } = usePlanning(show, onProblem)
  return {
    session,
    ...{ isBusy: busy !== undefined, isOpening: busy === 'opening', stop },
    open: async (name: string, blob: Blob): Promise<OpenedSession | undefined> => {
      return await replan({ document: await openSessionDocument(name, blob), settings: {} })
    },
    /** @param isFinal false while a control is being moved */
    change: async (changes: SettingChanges, isFinal: boolean): Promise<void> => {
      if (latest.current === undefined) return
      const changed = { ...latest.current, settings: withChanges(latest.current.settings, changes) }
      // At once, since a control shows the setting while it is moved.
      show(changed)
      if (isFinal || (changed.planMs <= LIVE_PLAN_MS && busy === undefined)) await replan(changed)
    },
  }
}

/** Makes plans, each of which ends the one before it. */
function usePlanning(show: (next: OpenedSession) => void, onProblem: (problem: unknown) => void) {
  const { progress: busy, stop, run } = useRunning<'opening' | 'planning'>(onProblem)
  const replan = (previous: Planned): Promise<OpenedSession | undefined> => {
    const isFirst = previous.entries === undefined
    return run(isFirst ? 'opening' : 'planning', async (signal) => {
      const next = await makePlan(previous, signal).catch(async (error: unknown) => {
        throw isFirst ? await explainNoSession(error, previous.document) : error
      })
      if (signal.aborted) return undefined
      show(next)
      return next
    })
  }
  return { busy, replan, stop }
}

function withChanges(settings: PageSettings, changes: SettingChanges): PageSettings {
  const entries = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

/** A state whose newest value handlers of the same event can read. */
function useLatest<T>() {
  const [value, setValue] = useState<T>()
  const latest = useRef<T>(undefined)
  const show = (next: T): void => {
    latest.current = next
    setValue(next)
  }
  return { value, latest, show }
}

/** The window that counts where neither the user nor the session names one: as for the command line. */
const DEFAULT_WINDOW = 200_000

async function makePlan({ document, settings, entries }: Planned, signal: AbortSignal): Promise<OpenedSession> {
  const startedAt = performance.now()
  const { query, body, contentType } = await writeRequest(document, {
    settings: { defaultContextWindow: DEFAULT_WINDOW, ...settings },
  })
  if (entries === undefined) query.set('include', 'entries')
  const response = await send('compaction/plan', { query, body, contentType, signal })
  const plan = (await response.json()) as PlanReply
  const planMs = performance.now() - startedAt
  if (plan.entries.length === 0)
    throw new ServiceProblem('empty', 'This document has no entries. Open the session file of an agent.')
  if (document.kind === 'json' && plan.report?.format === undefined)
    return makePlan({ document: { ...document, kind: 'own' }, settings }, signal)
  return { document, settings, planned: settings, plan, planMs, entries: withRegions(entries ?? plan.entries, plan) }
}

/** A second plan of a document says only what has changed of each entry: its region. */
function withRegions(entries: readonly SessionEntry[], plan: PlanReply): readonly SessionEntry[] {
  const { previousSummaryTokens } = plan
  const summary = previousSummaryTokens === 0 ? -1 : entries.findLastIndex(hasSummary)
  return entries.map((entry, index) => {
    const planned = plan.entries[index]
    const isSummary = index === summary && planned?.region === 'ignored'
    const region = isSummary ? 'summary' : (planned?.region ?? 'ignored')
    const tokens = isSummary ? previousSummaryTokens : (planned?.tokens ?? 0)
    return entry.region === region && entry.tokens === tokens ? entry : { ...entry, tokens, region }
  })
}
