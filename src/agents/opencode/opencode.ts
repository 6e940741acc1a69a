import { fieldsOf } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import { opencodeAppender } from './append.ts'
import { continueWithExport, isOpencodeId, opencodeCommand } from './exported.ts'
import { opencodeReader } from './read.ts'
import { opencodeWriter } from './write.ts'
import { OPENCODE_TARGET } from './install-target.ts'

export const OPENCODE = {
  id: 'opencode',
  reader: opencodeReader,
  appender: opencodeAppender,
  writer: opencodeWriter,
  tags: ['conversation', 'prior-summary', 'file', 'dcp-system-reminder', 'conversation-checkpoint', 'recent-context'],
  // opencode 2.0.23
  summaryMessages: [
    { start: '<conversation-checkpoint>', after: '<summary>', before: '</summary>', keptIn: 'recent-context' },
  ],
  idIn({ info }) {
    const { id, sessionID } = fieldsOf(info)
    return sessionID ?? id
  },
  folderIn({ info }) {
    const { directory, path } = fieldsOf(info)
    return directory ?? fieldsOf(path)['cwd']
  },
  continueWith: continueWithExport,
  database: {
    id: 'opencode',
    name: 'opencode',
    isId: isOpencodeId,
    isWholeId: (text) => /^ses_\w{26}$/.test(text),
    command: opencodeCommand,
    mcpClient: { name: /^opencode\b/ },
  },
  installTargets: [OPENCODE_TARGET],
} satisfies Agent
