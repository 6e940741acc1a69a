import type { Agent } from '../agent.ts'
import { gencodeReader } from './read.ts'

export const GENCODE: Agent = { id: 'gencode', reader: gencodeReader }
