import type { Agent } from '../agent.ts'
import { sweAgentReader } from './read.ts'

export const SWE_AGENT: Agent = { id: 'swe-agent', reader: sweAgentReader }
