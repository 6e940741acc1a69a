import { fieldsOf } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import { codexAppender } from './append.ts'
import { codexReader } from './read.ts'
import { CODEX_TAGS } from './tags.ts'
import { codexWriter } from './write.ts'

export const CODEX = {
  id: 'codex',
  reader: codexReader,
  appender: codexAppender,
  writer: codexWriter,
  tags: CODEX_TAGS,
  folderIn: ({ type, payload }) => (type === 'session_meta' ? fieldsOf(payload)['cwd'] : undefined),
} satisfies Agent
