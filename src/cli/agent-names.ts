import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import type { AgentName } from '../agents/home.ts'
import { nearName } from '../text/near-name.ts'

/** The agents with sessions on a machine: the names of all commands are from this list. */
export const AGENT_NAMES: readonly AgentName[] = Object.values<Agent>(AGENTS)
  .flatMap(({ homes = [], database = [] }) => [...homes, database].flat())
  .map(({ id, name }) => ({ id, name }))

/** Returns what to say of a word that names none of some agents: which one is likely meant, or all of them. */
export function adviceOnName(word: string, known: readonly string[]): string {
  const written = AGENT_NAMES.find(({ name }) => name.toLowerCase().replaceAll(' ', '-') === word.toLowerCase())
  const meant = written !== undefined && known.includes(written.id) ? written.id : nearName(word, known)
  return `${meant === undefined ? '' : `Did you mean ${meant}? `}Known are ${known.join(', ')}.`
}
