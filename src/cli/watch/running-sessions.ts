import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Machine } from '../../agents/home.ts'
import { listDatabases } from '../databases.ts'
import { locateSessions, type LocatedSession } from '../locate-sessions.ts'
import { shownIds } from '../session-ids.ts'
import { isSelected, mayHaveDatabases, type Selection } from './selection.ts'

/** How often the folders of the agents are searched for new sessions. */
const SEARCH_MS = 15_000

/** How often databases are asked for their sessions: opencode's command takes about a second of CPU time. */
const DATABASE_MS = 60_000

/** A file may get a time before the one at which it was searched for, from a disk on the network for example. */
const LATE_MS = 60_000

/** A session that has changed lately. */
export interface RunningSession extends Omit<LocatedSession, 'project'> {
  key: string
  /** The shortest text that names it. */
  name: string
  project: string | undefined
  /** Differs after each change. */
  version: string
}

interface Searched {
  machine: Machine
  selection: Selection
  /** For how long after its last change a session is running. */
  activeMs: number
  onUnread: (place: string) => void
}

/** Finds the running sessions: those that `precis list` lists, and that have changed within some time. */
export class RunningSessions {
  readonly #searched: Searched
  /** All sessions by their places: the names of the running ones differ from those of all others. */
  readonly #all = new Map<string, LocatedSession>()
  readonly #projects = new Map<string, { project: string | undefined; askedAt: number }>()
  #names = new Map<LocatedSession, string>()
  #searchedAt = -Infinity
  #askedAt = -Infinity

  constructor(searched: Searched) {
    this.#searched = searched
  }

  /** Returns the running sessions, the one that has changed last first. An unchanged one costs a look at its file's size and time. */
  find(nowMs: number): RunningSession[] {
    this.#search(nowMs)
    const leastMs = nowMs - this.#searched.activeMs
    const found: RunningSession[] = []
    for (const [key, session] of this.#all) {
      // A session that was not running at the last search, and is now, is found by the next one.
      if (session.modifiedMs < leastMs - SEARCH_MS) continue
      const seen = this.#look(session)
      if (seen === undefined) this.#all.delete(key)
      else if (seen.modifiedMs >= leastMs) {
        const project = () => this.#projectOf(key, session, nowMs)
        if (isSelected(this.#searched.selection, { agent: session.agent, project }))
          found.push({ ...this.#describe(key, session), ...seen, project: project() })
      }
    }
    return found.sort((a, b) => b.modifiedMs - a.modifiedMs)
  }

  #search(nowMs: number): void {
    if (nowMs - this.#searchedAt < SEARCH_MS) return
    const { machine, selection, onUnread } = this.#searched
    const sinceMs = this.#searchedAt - LATE_MS
    const before = this.#all.size
    for (const session of locateSessions(machine, onUnread, sinceMs)) this.#add(session)
    this.#searchedAt = nowMs
    if (mayHaveDatabases(selection) && nowMs - this.#askedAt >= DATABASE_MS) {
      for (const session of listDatabases(machine.env)) this.#add(session)
      this.#askedAt = nowMs
    }
    if (this.#all.size !== before) this.#names = shownIds([...this.#all.values()])
  }

  /** Adds a session. Of several files of one session, the newest one counts. */
  #add(session: LocatedSession): void {
    const { id, path, modifiedMs, agent } = session
    const key = path === undefined ? `${agent} ${id}` : join(dirname(path), id)
    const known = this.#all.get(key)
    if (known === undefined || (known.path !== path && known.modifiedMs < modifiedMs)) {
      this.#all.set(key, session)
      this.#names.delete(session)
    } else known.modifiedMs = Math.max(known.modifiedMs, modifiedMs)
  }

  #look(session: LocatedSession): { modifiedMs: number; version: string } | undefined {
    const { path, modifiedMs } = session
    if (path === undefined) return { modifiedMs, version: String(modifiedMs) }
    try {
      const { mtimeMs, size } = statSync(path)
      session.modifiedMs = mtimeMs
      return { modifiedMs: mtimeMs, version: `${size} ${mtimeMs}` }
    } catch {
      return undefined
    }
  }

  #describe(key: string, session: LocatedSession) {
    const { agent, id, path } = session
    return { key, agent, id, name: this.#names.get(session) ?? id, ...(path !== undefined && { path }) }
  }

  /** A session that has just begun may not name its folder yet: its file is not read for that at each look. */
  #projectOf(key: string, session: LocatedSession, nowMs: number): string | undefined {
    const known = this.#projects.get(key)
    if (known?.project !== undefined || (known !== undefined && nowMs - known.askedAt < SEARCH_MS)) return known.project
    const project = session.project()
    this.#projects.set(key, { project, askedAt: nowMs })
    return project
  }
}
