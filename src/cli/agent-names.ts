import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import type { AgentName } from '../agents/home.ts'

/** The agents with sessions on a machine: the names of all commands are from this list. */
export const AGENT_NAMES: readonly AgentName[] = Object.values<Agent>(AGENTS)
  .flatMap(({ homes = [], database = [] }) => [...homes, database].flat())
  .map(({ id, name }) => ({ id, name }))
