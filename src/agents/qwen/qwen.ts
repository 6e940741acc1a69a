import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { GEMINI_TAGS } from '../apis/client-tags.ts'
import { ANY_FOLDER, JSON_LINES, UUID } from '../home.ts'
import { qwenAppender } from './append.ts'
import { qwenReader } from './read.ts'
import { qwenWriter } from './write.ts'
import { folderOfQwen, QWEN_TARGET } from './install-target.ts'
import { filled } from '../shared/values.ts'

/** Qwen Code, which began as a copy of Gemini CLI. */
export const QWEN = {
  id: 'qwen',
  reader: qwenReader,
  appender: qwenAppender,
  writer: qwenWriter,
  tags: GEMINI_TAGS,
  folderIn: ({ cwd }) => cwd,
  homes: [
    {
      id: 'qwen',
      name: 'Qwen Code',
      root: (machine) => join(filled(machine.env['QWEN_RUNTIME_DIR']) ?? folderOfQwen(machine), 'projects'),
      levels: [ANY_FOLDER, /^chats$/, JSON_LINES],
      resume: {
        id: UUID,
        idIn: ({ sessionId }) => sessionId,
        place: (id) => join('PROJECT', 'chats', `${id}.jsonl`),
        command: (id) => `qwen --resume ${id}`,
      },
      // 0.24.4: the variable is set when the agent starts.
      mcpClient: { name: /^qwen\b/, ownSession: ({ env }) => ({ id: env['QWEN_CODE_SESSION_ID'] }) },
    },
  ],
  installTargets: [QWEN_TARGET],
} satisfies Agent
