import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import { isFormatId } from '../../agents/detect-format.ts'
import type { Machine } from '../../agents/home.ts'
import { realPath } from '../../agents/shared/session-file.ts'
import { nearName } from '../../text/near-name.ts'
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
  const agents = names.flatMap(agentsNamed)
  const others = names.filter((name) => agentsNamed(name).length === 0)
  return { agents, folders: others.map((name) => folderNamed(name, machine)) }
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

/** Returns the agents that a word names: one by its name, or those of a format. */
function agentsNamed(word: string): string[] {
  const own = HOME_NAMES.filter((name) => wordOf(name) === word)
  if (own.length > 0 || !isFormatId(word)) return own
  const agent: Agent = AGENTS[word]
  return (agent.homes ?? []).map(({ name }) => name)
}

const DATABASE_NAMES = Object.values<Agent>(AGENTS).flatMap(({ database }) => database?.name ?? [])

const HOME_NAMES = [
  ...Object.values<Agent>(AGENTS).flatMap(({ homes = [] }) => homes.map(({ name }) => name)),
  ...DATABASE_NAMES,
]

const wordOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-')

function folderNamed(name: string, { folder }: Machine): string {
  const path = resolve(folder, name)
  if (existsSync(path)) return realPath(path)
  const words = HOME_NAMES.map(wordOf)
  const meant = nearName(name, words)
  const advice = meant === undefined ? `Agents are ${words.join(', ')}.` : `Did you mean ${meant}?`
  throw new CliError('usage', `There is no agent and no folder "${name}". ${advice}`)
}
