import type { Agent } from '../agent.ts'
import { atifAppender } from './append.ts'
import { atifReader } from './read.ts'
import { atifWriter } from './write.ts'

export const ATIF = {
  id: 'atif',
  reader: atifReader,
  appender: atifAppender,
  writer: atifWriter,
  continueWith: () => ({
    sentence:
      'The trajectory has the compaction, and copies of the kept steps after it. ' +
      'Continue with a program that reads ATIF (docs/agents.md).',
  }),
} satisfies Agent
