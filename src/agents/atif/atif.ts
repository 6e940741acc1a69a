import type { Agent } from '../agent.ts'
import { atifAppender } from './append.ts'
import { atifReader } from './read.ts'
import { atifWriter } from './write.ts'

export const ATIF = { id: 'atif', reader: atifReader, appender: atifAppender, writer: atifWriter } satisfies Agent
