import type { Agent } from '../agent.ts'
import { geminiAppender } from './append.ts'
import { GEMINI_HOME } from './home.ts'
import { geminiReader } from './read.ts'
import { GEMINI_TAGS } from './tags.ts'
import { geminiWriter } from './write.ts'

export const GEMINI = {
  id: 'gemini',
  reader: geminiReader,
  appender: geminiAppender,
  writer: geminiWriter,
  tags: GEMINI_TAGS,
  homes: [GEMINI_HOME],
} satisfies Agent
