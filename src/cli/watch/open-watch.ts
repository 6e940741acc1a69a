import { existsSync } from 'node:fs'
import type { PreparedSummary } from '../../jobs/background-summaries.ts'
import { shellWord } from '../../text/controls.ts'
import type { Cli } from '../cli.ts'
import { writerNamed } from '../commands-that-write.ts'
import { callsPerDayOf, openPreparing } from '../prepared/open-preparing.ts'
import { createStateFolder, stateFolderOf } from '../prepared/state-folder.ts'
import { preparedFor } from '../prepared/use-prepared.ts'
import { WatcherClaim } from '../prepared/watcher-claim.ts'
import { hasWriter, numberOf, optionTextsOf, type Values } from '../read-arguments.ts'
import { compactionOf } from '../request-query.ts'
import { LONGEST_MS, openService, type Service } from '../service.ts'
import { Preparer } from './preparer.ts'
import { RunningSessions } from './running-sessions.ts'
import { readSelection, type Selection } from './selection.ts'
import { noticesOf, rowOf, unpreparedness, type Preparedness, type Shown, type View } from './view.ts'
import { Watcher, type WatchedSession } from './watcher.ts'

/** How long after its last change a session is running, in minutes. */
const DEFAULT_ACTIVE = 60

interface WatchRequest {
  values: Values
  names: readonly string[]
  cli: Cli
  signal: AbortSignal
  now?: () => number
  /** Called when a preparation has ended. */
  onEnded?: () => void
}

/** A watch that is under way. */
export interface Watch {
  /** Looks at all sessions once, starts a preparation if one is needed, and returns what is to be shown. @throws CliError */
  tick: () => Promise<View>
  /** Ends the preparation that is running, and frees the folder. */
  close: () => Promise<void>
}

/** Opens a watch: one that prepares summaries if a model is named, and if it is not to look only once. @throws CliError */
export async function openWatch(request: WatchRequest): Promise<Watch> {
  const { values, names, cli, signal, now = Date.now } = request
  const selection = readSelection(names, cli)
  const query = compactionOf(values)
  const activeMs = (numberOf(values, 'active', { least: 1 }) ?? DEFAULT_ACTIVE) * 60_000
  const { service, preparer, release } = await openPreparer(request, query)
  const unread = new Set<string>()
  const onUnread = (place: string): void => void unread.add(place)
  const sessions = new RunningSessions({ machine: cli, selection, activeMs, onUnread })
  const watcher = new Watcher({ sessions, client: service.client, query, env: cli.env, signal, now })
  const shown: Shown = {
    preparednessOf: (session) => preparer?.current.preparednessOf(session) ?? withoutPreparer(session, values),
    commandFor: ({ name }) => writeCompactCommand(name, values, cli),
  }
  preparer?.listen((key) => {
    watcher.again(key)
    request.onEnded?.()
  })
  const notes = (seen: readonly WatchedSession[]): string[] => [
    ...missingIn(selection),
    ...Array.from(unread, (place) => `Left out, because it could not be read: ${place}`),
    ...seen.flatMap((session) => noticesOf(session, shown)),
    ...(preparer?.current.notes(seen) ?? []),
  ]
  return {
    async tick() {
      unread.clear()
      const seen = await watcher.look()
      if (!signal.aborted) await preparer?.current.start(seen)
      return { rows: seen.map((session) => rowOf(session, shown)), notes: notes(seen) }
    },
    async close() {
      await service.close()
      release()
    },
  }
}

/** Returns whether a summary is prepared, if this watch prepares none. */
const withoutPreparer = (session: WatchedSession, values: Values): Preparedness => {
  const { plan } = session
  if (!hasWriter(values)) return 'no-model'
  if (plan?.prepared === undefined) return unpreparedness(session)
  return plan.prepared.isReady ? (plan.prepared.use === 'whole' ? 'ready' : 'older') : 'writing'
}

const missingIn = ({ folders }: Selection): string[] =>
  folders.flatMap((folder) => (existsSync(folder) ? [] : [`${folder} is not there any more.`]))

interface OpenedPreparer {
  service: Service
  preparer?: { current: Preparer; listen: (onEnded: (key: string) => void) => void }
  release: () => void
}

type Query = ReturnType<typeof compactionOf>

async function openPreparer(request: WatchRequest, query: Query): Promise<OpenedPreparer> {
  const { values, cli, now = Date.now } = request
  const writer = writerNamed(values, cli)
  if (!hasWriter(values) || values['once'] === true) {
    const service = await openService({ ...writer, env: cli.env, local: preparedFor(values, cli) })
    return { service, release: () => undefined }
  }
  const path = stateFolderOf(cli)
  createStateFolder(path)
  const claim = new WatcherClaim({ path, now })
  claim.take()
  const release = (): void => claim.release()
  try {
    return { ...(await openQueue(request, { query, writer, path, claim })), release }
  } catch (error) {
    release()
    throw error
  }
}

interface Queue {
  query: Query
  writer: Pick<Parameters<typeof openService>[0], 'model' | 'commands'>
  /** The state folder. */
  path: string
  claim: WatcherClaim
}

/** Opens the service that writes summaries into the folder, and what has it do so. */
async function openQueue(
  { values, cli: { env }, now = Date.now }: WatchRequest,
  { query, writer, path, claim }: Queue,
): Promise<Required<Omit<OpenedPreparer, 'release'>>> {
  let [preparer, onEnded]: [Preparer?, ((key: string) => void)?] = []
  const onPrepared = (summary: PreparedSummary): void => {
    const key = preparer?.ended(summary)
    if (key !== undefined) onEnded?.(key)
  }
  const { service, folder, calls } = await openPreparing({ ...writer, env }, { path, now, onPrepared })
  const deadlineMs = Math.max(LONGEST_MS, Number(env['PRECIS_DEADLINE_MS'] ?? 0) || 0)
  const callsPerDay = callsPerDayOf(values)
  preparer = new Preparer({ client: service.client, query, folder, claim, calls, callsPerDay, env, deadlineMs, now })
  return { service, preparer: { current: preparer, listen: (listener) => void (onEnded = listener) } }
}

/** The options of a watch that its compactions need too, so that they use what it has prepared. */
const SHARED = ['model', 'with', 'keep', 'budget', 'focus', 'window'] as const

/** Returns the command that writes the compaction of a session. */
function writeCompactCommand(name: string, values: Values, { command }: Pick<Cli, 'command'>): string {
  const options = SHARED.flatMap((option) =>
    optionTextsOf(values, option).map((value) => `--${option} ${shellWord(value)}`),
  )
  return [command, 'compact', shellWord(name), '--write', ...options].join(' ')
}
