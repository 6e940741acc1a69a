import type { Agent } from '../agent.ts'
import { gooseReader } from './read.ts'

export const GOOSE: Agent = { id: 'goose', reader: gooseReader }
