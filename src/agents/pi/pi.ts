import type { Agent } from '../agent.ts'
import { piAppender } from './append.ts'
import { piWriter } from './write.ts'

/** pi, oh-my-pi and indusagi. */
export const PI = {
  id: 'pi',
  appender: piAppender,
  writer: piWriter,
  folderIn: ({ type, cwd }) => (type === 'session' ? cwd : undefined),
} satisfies Agent
