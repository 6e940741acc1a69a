import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { AGENTS, type Agent, type Machine } from './agents.ts'
import { withParents } from './gemini.ts'
import { nameOf, projectInFile } from './session-project.ts'

/** A session of an agent on this machine. */
export interface LocatedSession {
  agent: string
  id: string
  /** Absent for agents with a database. */
  path?: string
  modifiedMs: number
  /** Returns the folder that the agent worked in; undefined if it is not recorded. */
  project: () => string | undefined
}

/** Returns the sessions of all agents that store them as files, the newest first. Symbolic links are not followed. */
export function locateSessions(machine: Machine): LocatedSession[] {
  const seen = new Set<string>()
  const known = knownFolders(machine)
  const sessions = AGENTS.flatMap((agent) => {
    const root = agent.root(machine)
    const paths = filesBelow(root, agent.levels).filter((path) => !seen.has(path))
    for (const path of paths) seen.add(path)
    return paths.flatMap((path) => locate(agent, { root, path, known }))
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
export interface Place {
  root: string
  /** Absent for other files. */
  id?: string
  project?: string | undefined
}

/** Returns the place of a file at an agent. */
export function lookUp(name: string, path: string, machine: Machine): Place {
  const agent = AGENTS.find((one) => one.name === name)
  if (agent === undefined) throw new Error(`No agent has the name ${name}.`)
  const { root, levels, idOf, projectOf = projectInFile } = agent
  const folder = root(machine)
  const names = relative(realPath(folder), realPath(path)).split(sep)
  const isThere = names.length === levels.length && levels.every((level, index) => level.test(names[index] ?? ''))
  if (!isThere) return { root: folder }
  const project = projectOf(realPath(path), realPath(folder), knownFolders(machine))
  return { root: folder, id: idOf?.(path) ?? nameOf(path), project }
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
  AGENTS.filter(({ projectOf }) => projectOf === undefined)
    .flatMap(({ root, levels }) => filesBelow(root(machine), levels))
    .flatMap((path) => projectInFile(path) ?? [])

/** Folders may be symbolic links, such as `~/.claude`. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function locate(
  { name, idOf, projectOf = projectInFile, isSession = () => true }: Agent,
  { root, path, known }: { root: string; path: string; known: () => readonly string[] },
): LocatedSession[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.size === 0 || !isSession(path)) return []
  const project = () => projectOf(path, root, known)
  return [{ agent: name, id: idOf?.(path) ?? nameOf(path), path, modifiedMs: found.mtimeMs, project }]
}

function filesBelow(folder: string, [level, ...others]: readonly RegExp[]): string[] {
  if (level === undefined) return []
  const entries = entriesOf(folder).filter(({ name }) => level.test(name))
  if (others.length === 0) return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
  return entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => filesBelow(join(folder, name), others))
}

/** A folder that is not there, or that may not be read, has no sessions. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
