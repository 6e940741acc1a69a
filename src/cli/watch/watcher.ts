import type { Client, PlanReply } from '../../client/client.ts'
import type { Environment } from '../../environment.ts'
import { readLocated } from '../databases.ts'
import { describeError } from '../describe-error.ts'
import { describePause, pauseAfter, type Pause } from './pause.ts'
import type { RunningSession, RunningSessions } from './running-sessions.ts'

/** A session that grows is read at most so often, */
const READ_EVERY_MS = 10_000

/** and for at most this share of the time: to plan 60 MB takes some seconds. */
const READ_SHARE = 0.05

export interface WatchedSession extends RunningSession {
  /** Absent until it was read. */
  plan?: PlanReply | undefined
  /** Why it could not be read. */
  fault?: { text: string; pause: Pause } | undefined
}

export interface WatchOptions {
  sessions: RunningSessions
  client: Pick<Client, 'plan'>
  /** The settings of a compaction. */
  query: Readonly<Record<string, string | number | undefined>>
  env: Environment
  signal: AbortSignal
  now: () => number
}

interface Reading {
  version: string
  /** Not before then is it read again. */
  nextMs: number
  plan?: PlanReply | undefined
  pause?: Pause
  fault?: string
}

/** Reads the running sessions when they have changed, and plans their compactions. */
export class Watcher {
  readonly #options: WatchOptions
  readonly #readings = new Map<string, Reading>()

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** Looks at all running sessions once. */
  async look(): Promise<WatchedSession[]> {
    const { sessions, now, signal } = this.#options
    const running = sessions.find(now())
    const keys = new Set(running.map(({ key }) => key))
    for (const key of this.#readings.keys()) if (!keys.has(key)) this.#readings.delete(key)
    for (const session of running) if (!signal.aborted && this.#isDue(session)) await this.#read(session)
    return running.map((session) => this.#describe(session))
  }

  /** Has a session planned again, although it has not changed: a summary of it may be there now. */
  again(key: string): void {
    const reading = this.#readings.get(key)
    if (reading !== undefined && reading.pause === undefined) Object.assign(reading, { version: '', nextMs: 0 })
  }

  #isDue({ key, version }: RunningSession): boolean {
    const reading = this.#readings.get(key)
    if (reading === undefined) return true
    const isChanged = reading.version !== version || reading.pause !== undefined
    return isChanged && this.#options.now() >= reading.nextMs
  }

  async #read(session: RunningSession): Promise<void> {
    const { client, query, env, now } = this.#options
    const { key, version } = session
    const before = this.#readings.get(key)
    const startedAt = performance.now()
    try {
      const plan = await client.plan(readLocated(session, env), { query })
      const nextMs = now() + Math.max(READ_EVERY_MS, (performance.now() - startedAt) / READ_SHARE)
      this.#readings.set(key, { version, nextMs, plan })
    } catch (error) {
      const pause = pauseAfter(before?.pause, now())
      const fault = describeError(error, { session: session.name }).message
      this.#readings.set(key, { version, nextMs: pause.untilMs, plan: before?.plan, pause, fault })
    }
  }

  #describe(session: RunningSession): WatchedSession {
    const { plan, fault: text, pause } = this.#readings.get(session.key) ?? {}
    return { ...session, plan, fault: text === undefined || pause === undefined ? undefined : { text, pause } }
  }
}

/** Returns the line about a session that cannot be read. */
export const describeFault = ({ name }: RunningSession, { text, pause }: { text: string; pause: Pause }): string =>
  `${name}: ${text.replaceAll('\n', ' ')} It is read again after ${describePause(pause)}.`
