import type { Agent } from '../agent.ts'
import { aiderReader } from './read.ts'

export const AIDER: Agent = { id: 'aider', reader: aiderReader }
