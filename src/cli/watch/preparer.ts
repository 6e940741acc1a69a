import type { Client } from '../../client/client.ts'
import type { Environment } from '../../environment.ts'
import type { PreparedSummary } from '../../jobs/background-summaries.ts'
import { readLocated } from '../databases.ts'
import { CliError } from '../exit.ts'
import { wantsPreparation } from '../prepared/open-preparing.ts'
import type { SummaryFolder } from '../prepared/summary-folder.ts'
import type { CallCount } from '../prepared/call-count.ts'
import { describePause, pauseAfter, type Pause } from './pause.ts'
import { unpreparedness, type Preparedness } from './view.ts'
import type { WatcherClaim } from '../prepared/watcher-claim.ts'
import type { WatchedSession, WatchOptions } from './watcher.ts'

interface PreparerOptions extends Pick<WatchOptions, 'query' | 'now'> {
  client: Pick<Client, 'prepare'>
  folder: SummaryFolder
  claim: WatcherClaim
  calls: CallCount
  callsPerDay: number
  env: Environment
  /** No preparation takes longer. */
  deadlineMs: number
}

/** A fault of one session, or of the folder. */
interface Fault {
  text: string
  pause: Pause
}

/** Prepares the summaries of sessions, one at a time. */
export class Preparer {
  readonly #options: PreparerOptions
  #running: { key: string; untilMs: number } | undefined
  /** The failures by session. */
  readonly #faults = new Map<string, Fault>()
  /** The versions of sessions for which the service has nothing to prepare. */
  readonly #settled = new Map<string, string>()
  /** Why nothing can be kept in the folder. */
  #folderFault: Fault | undefined
  /** After a failure, which is likely the model's, other sessions wait a little too. */
  #restUntilMs = -Infinity

  constructor(options: PreparerOptions) {
    this.#options = options
  }

  /** Notes how a preparation has ended. @returns the session whose summary it was */
  ended({ outcome, detail, problem = '' }: PreparedSummary): string | undefined {
    const { key } = this.#running ?? {}
    this.#running = undefined
    if (key === undefined) return undefined
    if (outcome === 'ready') this.#faults.delete(key)
    else this.#fail(key, detail ?? problem)
    return key
  }

  /**
   * Starts the preparation of the session that is nearest to its threshold, if one is needed, and none is running.
   * @throws CliError if another process prepares the summaries of this folder now
   */
  async start(sessions: readonly WatchedSession[]): Promise<void> {
    const { claim, now } = this.#options
    if (!claim.extend())
      throw new CliError('inUse', 'Another `precis watch` has taken over: it prepares the summaries now.')
    this.#forget(sessions)
    this.#saveLeft()
    if ((this.#running?.untilMs ?? -Infinity) > now() || this.#mustWait()) return
    const waiting = sessions.filter((session) => this.#isDue(session))
    const [first] = waiting.sort((a, b) => nearness(b) - nearness(a))
    if (first !== undefined) await this.#prepare(first)
  }

  preparednessOf(session: WatchedSession): Preparedness {
    const { key, plan, version } = session
    if (this.#running?.key === key || plan?.prepared?.isReady === false) return 'writing'
    if (this.#faults.has(key)) return 'failed'
    if (plan?.prepared?.use === 'whole') return 'ready'
    const isWanted = wants(session) && this.#settled.get(key) !== version
    if (isWanted) return this.#isOverLimit(session) ? 'limit' : 'waiting'
    return plan?.prepared === undefined ? unpreparedness(session) : 'older'
  }

  notes(sessions: readonly WatchedSession[]): string[] {
    const { calls, callsPerDay, folder } = this.#options
    const failed = sessions.flatMap(({ key, name }) => {
      const fault = this.#faults.get(key)
      return fault === undefined ? [] : [`${name}: no summary could be prepared. ${againAfter(fault)}`]
    })
    const isOver = sessions.some((session) => this.preparednessOf(session) === 'limit')
    const used =
      callsPerDay === 0
        ? 'No summary is prepared: --calls-per-day is 0.'
        : `Model calls of today: ${calls.today()} of ${callsPerDay} (--calls-per-day). No summary is prepared that needs more.`
    const left = folder.unsaved() > 0 ? 'A prepared summary could not be kept.' : 'No summary can be kept.'
    return [
      ...failed,
      ...(isOver ? [used] : []),
      ...(this.#folderFault === undefined ? [] : [`${left} ${againAfter(this.#folderFault)}`]),
    ]
  }

  async #prepare(session: WatchedSession): Promise<void> {
    const { client, query, env, calls, now, deadlineMs } = this.#options
    const { key, version } = session
    // What has no room on the disk is known before a model is paid.
    if (!this.#tryFolder(() => calls.save())) return
    this.#running = { key, untilMs: now() + deadlineMs }
    try {
      const { state } = await client.prepare(readLocated(session, env), { query })
      if (state === 'preparing') return
      this.#settled.set(key, version)
      this.#running = undefined
    } catch (error) {
      this.#running = undefined
      this.#fail(key, (error as Error).message)
    }
  }

  #fail(key: string, text: string): void {
    const { now } = this.#options
    const pause = pauseAfter(this.#faults.get(key)?.pause, now())
    this.#faults.set(key, { text, pause })
    this.#restUntilMs = pauseAfter(undefined, now()).untilMs
  }

  #isDue(session: WatchedSession): boolean {
    const { key, version } = session
    if (!wants(session) || this.#settled.get(key) === version || this.#isOverLimit(session)) return false
    return (this.#faults.get(key)?.pause.untilMs ?? -Infinity) <= this.#options.now()
  }

  #isOverLimit({ plan }: WatchedSession): boolean {
    const { calls, callsPerDay } = this.#options
    return calls.today() + Math.max(1, plan?.windows ?? 1) > callsPerDay
  }

  #mustWait(): boolean {
    const now = this.#options.now()
    return now < this.#restUntilMs || now < (this.#folderFault?.pause.untilMs ?? -Infinity)
  }

  /** Writes summaries that could not be written. */
  #saveLeft(): void {
    const { folder, now } = this.#options
    if (folder.unsaved() > 0 && now() >= (this.#folderFault?.pause.untilMs ?? -Infinity))
      this.#tryFolder(() => folder.save())
  }

  #tryFolder(write: () => void): boolean {
    try {
      write()
      if (this.#options.folder.unsaved() === 0) this.#folderFault = undefined
      return true
    } catch (error) {
      const pause = pauseAfter(this.#folderFault?.pause, this.#options.now())
      this.#folderFault = { text: `${(error as Error).message}.`, pause }
      return false
    }
  }

  /** Forgets sessions that are not running any more. */
  #forget(sessions: readonly WatchedSession[]): void {
    const keys = new Set(sessions.map(({ key }) => key))
    for (const known of [this.#faults, this.#settled])
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
  }
}

const wants = ({ plan, fault }: WatchedSession): boolean =>
  fault === undefined && plan !== undefined && wantsPreparation(plan)

const nearness = ({ plan }: WatchedSession): number =>
  (plan?.contextTokens ?? 0) / Math.max(1, plan?.thresholdTokens ?? 1)

const againAfter = ({ text, pause }: Fault): string => `${text} It is tried again after ${describePause(pause)}.`
