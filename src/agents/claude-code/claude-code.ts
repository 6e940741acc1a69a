import type { Agent } from '../agent.ts'
import { claudeCodeAppender } from './append.ts'
import { claudeCodeReader } from './read.ts'
import { CLAUDE_TAGS } from './tags.ts'
import { claudeCodeWriter } from './write.ts'

export const CLAUDE_CODE = {
  id: 'claude-code',
  reader: claudeCodeReader,
  appender: claudeCodeAppender,
  writer: claudeCodeWriter,
  tags: CLAUDE_TAGS,
  folderIn: ({ cwd }) => cwd,
} satisfies Agent
