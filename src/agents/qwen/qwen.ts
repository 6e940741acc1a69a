import type { Agent } from '../agent.ts'
import { GEMINI_TAGS } from '../gemini/tags.ts'
import { qwenWriter } from '../gemini/write.ts'
import { qwenAppender } from './append.ts'
import { qwenReader } from './read.ts'

/** Qwen Code, which began as a copy of Gemini CLI. */
export const QWEN = {
  id: 'qwen',
  reader: qwenReader,
  appender: qwenAppender,
  writer: qwenWriter,
  tags: GEMINI_TAGS,
  folderIn: ({ cwd }) => cwd,
} satisfies Agent
