import type { Agent } from '../agent.ts'
import { MessagesReader } from '../apis/anthropic.ts'
import { CONTEXT_SUMMARY, isClineMessage, isLegacyMessage } from '../apis/cline-messages.ts'
import { describeMessage, timeFact, type SessionReader } from '../reader.ts'
import { CLINE_FORM } from './answers.ts'
import { clineAppender, clineLegacyAppender } from './append.ts'
import { CLINE_HOME, TASK_HOMES } from './home.ts'
import { CLINE_TARGET, KILO_TARGET, ROO_TARGET } from './install-target.ts'
import { LegacyReader } from './legacy.ts'

const clineReader: SessionReader = {
  detect: ({ values }) => values.some(isClineMessage),
  describe: (message) => ({ ...describeMessage(message), ...timeFact(message['ts']) }),
  open: (sink) => new MessagesReader(sink, CLINE_FORM),
}

const clineLegacyReader: SessionReader = {
  detect: ({ values }) => values.some(isLegacyMessage),
  describe: (message) => ({ ...describeMessage(message), isCovered: message['condenseParent'] !== undefined }),
  open: (sink) => new LegacyReader(new MessagesReader(sink, CLINE_FORM)),
}

/** The tags by which Cline recognizes text that it has written itself (November 2026). */
const TAGS = [
  ...['user_input', 'task', 'feedback', 'user_message', 'environment_details', 'SYSTEM_NOTICE', 'new_task'],
  ...['file_content', 'explicit_instructions', 'user_feedback'],
]

/** Sessions of Cline's SDK format (CLI 3.x), and their compacted copies. */
export const CLINE: Agent = {
  id: 'cline',
  reader: clineReader,
  appender: clineAppender,
  tags: TAGS,
  summaryMessages: [{ start: `${CONTEXT_SUMMARY}\n` }],
  homes: [CLINE_HOME],
  installTargets: [CLINE_TARGET],
}

/** `api_conversation_history.json` of Cline, Roo and Kilo: Anthropic's messages with a time. */
export const CLINE_LEGACY: Agent = {
  id: 'cline-legacy',
  reader: clineLegacyReader,
  appender: clineLegacyAppender,
  tags: TAGS,
  homes: TASK_HOMES,
  installTargets: [ROO_TARGET, KILO_TARGET],
  continueWith: ({ homeName = 'the extension' }) => ({
    sentence: `Continue in ${homeName}: open the task from its history.`,
  }),
}
