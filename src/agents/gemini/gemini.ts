import type { Agent } from '../agent.ts'
import { GEMINI_TAGS } from '../apis/client-tags.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT } from '../apis/gemini-parts.ts'
import { geminiAppender } from './append.ts'
import { GEMINI_HOME } from './home.ts'
import { geminiReader } from './read.ts'
import { geminiWriter } from './write.ts'
import { GEMINI_TARGET } from './install-target.ts'

export const GEMINI = {
  id: 'gemini',
  reader: geminiReader,
  appender: geminiAppender,
  writer: geminiWriter,
  tags: GEMINI_TAGS,
  // Those of Qwen Code 0.24 too.
  summaryMessages: [{ start: '<state_snapshot>', before: '</state_snapshot>' }],
  acknowledgement: SNAPSHOT_ACKNOWLEDGEMENT,
  // The title of an older session.
  ownFields: ['summary'],
  homes: [GEMINI_HOME],
  installTargets: [GEMINI_TARGET],
} satisfies Agent
