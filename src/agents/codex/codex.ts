import { join } from 'node:path'
import { fieldsOf } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import { CODEX_TAGS } from '../apis/client-tags.ts'
import { ANY_FOLDER, UUID } from '../home.ts'
import { nameOf } from '../shared/session-file.ts'
import { filled, type Fields } from '../shared/values.ts'
import { codexAppender } from './append.ts'
import { CODEX_TARGET, folderOfCodex } from './install-target.ts'
import { SUMMARY_LEAD, SUMMARY_LEAD_END } from './history-summary.ts'
import { codexReader } from './read.ts'
import { codexWriter } from './write.ts'

/** Returns the fields of the first line of a session; none for other lines. */
const headerOf = ({ type, payload }: Fields): Fields => fieldsOf(type === 'session_meta' ? payload : undefined)

export const CODEX = {
  id: 'codex',
  reader: codexReader,
  appender: codexAppender,
  writer: codexWriter,
  tags: CODEX_TAGS,
  summaryMessages: [{ start: SUMMARY_LEAD, after: SUMMARY_LEAD_END }],
  withOutput(line, callId, text) {
    const payload = fieldsOf(line['payload'])
    return payload['call_id'] === callId ? { ...line, payload: { ...payload, output: text } } : undefined
  },
  folderIn: (line) => headerOf(line)['cwd'],
  homes: [
    {
      id: 'codex',
      name: 'Codex',
      root: (machine) => join(folderOfCodex(machine), 'sessions'),
      levels: [ANY_FOLDER, ANY_FOLDER, ANY_FOLDER, /^rollout-.*\.jsonl$/],
      // rollout-TIME-UUID.jsonl
      idOf: (path) => nameOf(path).slice(-36),
      resume: {
        id: UUID,
        idIn: (line) => headerOf(line)['id'],
        place: (id) => join('YEAR', 'MONTH', 'DAY', `rollout-TIME-${id}.jsonl`),
        command: (id) => `codex resume ${id}`,
      },
      // 0.169.0
      mcpClient: { name: /^codex\b/, ownSession: ({ meta }) => ({ id: filled(meta['threadId']), isCurrent: true }) },
    },
  ],
  installTargets: [CODEX_TARGET],
} satisfies Agent
