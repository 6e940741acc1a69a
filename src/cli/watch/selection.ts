import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import type { Machine } from '../../agents/home.ts'
import { realPath } from '../../agents/shared/session-file.ts'
import { AGENT_NAMES } from '../agent-names.ts'
import { CliError } from '../exit.ts'

/** Which sessions are watched: those of an agent or of a folder; all, if neither is named. */
export interface Selection {
  /** The names of agents, as `precis list` writes them. */
  agents: readonly string[]
  /** Folders of projects, and those below them. */
  folders: readonly string[]
}

/** Reads the agents and folders that a user names. @throws CliError */
export function readSelection(names: readonly string[], machine: Machine): Selection {
  const agents = AGENT_NAMES.filter(({ id }) => names.includes(id))
  const others = names.filter((name) => !agents.some(({ id }) => id === name))
  return { agents: agents.map(({ name }) => name), folders: others.map((name) => folderNamed(name, machine)) }
}

/** Returns whether a session is watched. @param project called only if folders are named: it reads the file */
export function isSelected(
  { agents, folders }: Selection,
  session: { agent: string; project: () => string | undefined },
): boolean {
  if (agents.length === 0 && folders.length === 0) return true
  if (agents.includes(session.agent)) return true
  const project = folders.length === 0 ? undefined : session.project()
  if (project === undefined) return false
  const real = realPath(project)
  return folders.some((folder) => real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
}

/** Returns whether sessions of an agent with a database can be among those that are watched. */
export const mayHaveDatabases = ({ agents, folders }: Selection): boolean =>
  folders.length > 0 || agents.length === 0 || DATABASE_NAMES.some((name) => agents.includes(name))

const DATABASE_NAMES = Object.values<Agent>(AGENTS).flatMap(({ database }) => database?.name ?? [])

function folderNamed(name: string, { folder }: Machine): string {
  const path = resolve(folder, name)
  if (existsSync(path)) return realPath(path)
  const ids = AGENT_NAMES.map(({ id }) => id)
  throw new CliError('usage', `There is no agent and no folder "${name}". Known are ${ids.join(', ')}.`)
}
