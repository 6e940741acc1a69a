import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { SUMMARY_END, SUMMARY_PREAMBLE, SUMMARY_START } from '../apis/claude-code-text.ts'
import { CLAUDE_TAGS } from '../apis/client-tags.ts'
import { ANY_FOLDER, JSON_LINES, UUID } from '../home.ts'
import { folderOf } from '../shared/session-file.ts'
import { claudeCodeAppender } from './append.ts'
import { claudeCodeReader } from './read.ts'
import { claudeCodeWriter } from './write.ts'

export const CLAUDE_CODE = {
  id: 'claude-code',
  reader: claudeCodeReader,
  appender: claudeCodeAppender,
  writer: claudeCodeWriter,
  tags: CLAUDE_TAGS,
  summaryMessages: [{ start: SUMMARY_PREAMBLE, after: SUMMARY_START, before: SUMMARY_END }],
  folderIn: ({ cwd }) => cwd,
  homes: [
    {
      name: 'Claude Code',
      root: ({ env, home }) => join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
      levels: [ANY_FOLDER, JSON_LINES],
      isProject: (folder, path) => folder.replace(/[^a-z\d]/gi, '-') === folderOf(path),
      resume: {
        id: UUID,
        idIn: ({ sessionId }) => sessionId,
        place: (id) => join('PROJECT', `${id}.jsonl`),
        command: (id) => `claude --resume ${id}`,
      },
    },
  ],
} satisfies Agent
