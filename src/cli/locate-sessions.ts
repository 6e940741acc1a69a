import { closeSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import type { AgentHome, Machine } from '../agents/home.ts'
import { findInLines, nameOf, realPath, withParents } from '../agents/shared/session-file.ts'
import type { Fields } from '../agents/shared/values.ts'
import type { StoredSession } from '../mcp/host.ts'

/** A session of an agent on this machine, before a database has said more of it. */
export type LocatedSession = Omit<StoredSession, 'pending' | 'firstRequest'>

/** A home, with the function that reads the folder of the project in its files. */
interface Home extends AgentHome, Pick<Agent, 'folderIn'> {}

/** Returns the homes of the agents with a format. */
export const homesOf = ({ homes = [], folderIn }: Agent): Home[] =>
  homes.map((home) => ({ ...home, ...(folderIn && { folderIn }) }))

const HOMES: readonly Home[] = Object.values<Agent>(AGENTS).flatMap(homesOf)

/** Is called for each folder or file that exists and cannot be read, with the reason. */
type OnUnread = (place: string) => void

/**
 * Returns the sessions of all agents that store them as files, the newest first. Symbolic links are not followed. What cannot be
 * read is left out.
 * @param sinceMs files that have not changed since then are left out, and not read
 */
export function locateSessions(
  machine: Machine,
  onUnread: OnUnread = () => undefined,
  sinceMs = -Infinity,
): LocatedSession[] {
  const seen = new Set<string>()
  const known = knownFolders(machine)
  const sessions = HOMES.flatMap((home) => {
    const root = home.root(machine)
    const paths = filesBelow(root, home.levels, onUnread).filter((path) => !seen.has(path))
    for (const path of paths) seen.add(path)
    return paths.flatMap((path) => orUnread(path, onUnread, () => locate(home, { root, path, known }, sinceMs)))
  })
  return withoutOlder(sessions.sort((a, b) => b.modifiedMs - a.modifiedMs))
}

/** Returns the newest file of each session: Gemini CLI may have several in one folder, and continues with this one. */
function withoutOlder(sessions: readonly LocatedSession[]): LocatedSession[] {
  const seen = new Set<string>()
  return sessions.filter(({ id, path = '' }) => {
    const key = join(dirname(path), id)
    return !seen.has(key) && seen.add(key)
  })
}

/** Where an agent looks for its sessions; under which id, and for which folder, it finds a file there. */
export interface LocatedFile {
  root: string
  /** Absent for other files. */
  id?: string
  project?: string | undefined
}

/** Returns the place of a file at an agent. */
export function lookUp(home: Home, path: string, machine: Machine): LocatedFile {
  const { levels, idOf } = home
  const root = home.root(machine)
  const names = relative(realPath(root), realPath(path)).split(sep)
  const isThere = names.length === levels.length && levels.every((level, index) => level.test(names[index] ?? ''))
  if (!isThere) return { root }
  const place = { root: realPath(root), path: realPath(path), known: knownFolders(machine) }
  return { root, id: idOf?.(path) ?? nameOf(path), project: projectOf(home, place) }
}

interface Place {
  root: string
  path: string
  /** Returns folders that may be the project. */
  known: () => readonly string[]
}

const projectOf = (home: Home, { path, root, known }: Place): string | undefined =>
  home.projectOf === undefined ? folderNamedIn(path, home) : home.projectOf(path, root, known)

function folderNamedIn(path: string, { folderIn, isProject }: Home): string | undefined {
  if (folderIn === undefined) return undefined
  const findProject = (value: Fields): unknown => {
    const folder = folderIn(value)
    return typeof folder === 'string' && isProject?.(folder, path) === true ? folder : undefined
  }
  return (isProject && findInLines(path, findProject)) ?? findInLines(path, folderIn)
}

/** Returns a function that lists folders of the user: the current one and those it is in, and those that sessions name. */
function knownFolders(machine: Machine): () => readonly string[] {
  let known: string[] | undefined
  return () => {
    known ??= [...new Set([...withParents(machine.folder), machine.home, ...foldersOfSessions(machine)])]
    return known
  }
}

const foldersOfSessions = (machine: Machine): string[] =>
  HOMES.filter((home) => home.projectOf === undefined).flatMap((home) =>
    filesBelow(home.root(machine), home.levels, () => undefined).flatMap((path) => folderNamedIn(path, home) ?? []),
  )

function locate(home: Home, place: Place, sinceMs: number): LocatedSession[] {
  const { path } = place
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.size === 0 || found.mtimeMs < sinceMs) return []
  closeSync(openSync(path, 'r'))
  if (home.isSession?.(path) === false) return []
  const project = () => projectOf(home, place)
  return [{ agent: home.name, id: home.idOf?.(path) ?? nameOf(path), path, modifiedMs: found.mtimeMs, project }]
}

function filesBelow(folder: string, [level, ...others]: readonly RegExp[], onUnread: OnUnread): string[] {
  if (level === undefined) return []
  const list = () => readdirSync(folder, { withFileTypes: true })
  const entries = orUnread(folder, onUnread, list).filter(({ name }) => level.test(name))
  if (others.length === 0) return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
  const folders = entries.filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => filesBelow(join(folder, name), others, onUnread))
}

/** Returns what is at a path: nothing if it is not there, or may not be read. */
function orUnread<T>(path: string, onUnread: OnUnread, read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException
    // What is at a place that another program uses for something else is no folder of sessions.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') onUnread(`${path} (${code})`)
    return []
  }
}
