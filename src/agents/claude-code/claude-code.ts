import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import { SUMMARY_END, SUMMARY_PREAMBLE, SUMMARY_START } from '../apis/claude-code-text.ts'
import { CLAUDE_TAGS } from '../apis/client-tags.ts'
import { ANY_FOLDER, JSON_LINES, UUID, type Caller, type OwnSession } from '../home.ts'
import { folderOf } from '../shared/session-file.ts'
import { filled, type Fields } from '../shared/values.ts'
import { claudeCodeAppender } from './append.ts'
import { CLAUDE_CODE_TARGET, folderOfClaude } from './install-target.ts'
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
  withOutput(line, callId, text) {
    const message = fieldsOf(line['message'])
    const { content } = message
    const isOutput = (block: unknown): boolean => fieldsOf(block)['tool_use_id'] === callId
    if (!Array.isArray(content) || !content.some(isOutput)) return undefined
    const blocks = content.map((block: unknown) => (isOutput(block) ? { ...fieldsOf(block), content: text } : block))
    return { ...line, message: { ...message, content: blocks } }
  },
  homes: [
    {
      id: 'claude-code',
      name: 'Claude Code',
      root: (machine) => join(folderOfClaude(machine), 'projects'),
      levels: [ANY_FOLDER, JSON_LINES],
      isProject: (folder, path) => folder.replace(/[^a-z\d]/gi, '-') === folderOf(path),
      resume: {
        id: UUID,
        idIn: ({ sessionId }) => sessionId,
        place: (id) => join('PROJECT', `${id}.jsonl`),
        command: (id) => `claude --resume ${id}`,
      },
      mcpClient: { name: /^claude-code$/, ownSession },
    },
  ],
  installTargets: [CLAUDE_CODE_TARGET],
} satisfies Agent

/**
 * Claude Code 2.1.330 has a file for each of its processes, with the session that it has now; its variable keeps the id from
 * before `/clear`. The line with a call is written before the call is made.
 */
function ownSession({ meta, env, home, parents }: Caller): OwnSession {
  const folder = join(folderOfClaude({ env, home }), 'sessions')
  const live = parents().flatMap((pid) => filled(readFields(join(folder, `${pid}.json`))['sessionId']) ?? [])
  const [id] = live
  const mark = filled(meta['claudecode/toolUseId'])
  return id === undefined ? { id: env['CLAUDE_CODE_SESSION_ID'], mark } : { id, isCurrent: true, mark }
}

function readFields(path: string): Fields {
  try {
    return fieldsOf(parseJson(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}
