import { MessagesReader } from '../apis/anthropic.ts'
import { isClineMessage, isLegacyMessage } from '../apis/cline-messages.ts'
import { describeMessage, timeFact, type SessionReader } from '../reader.ts'
import { readClineAnswers } from './answers.ts'
import { LegacyReader } from './legacy.ts'

export const clineReader: SessionReader = {
  detect: ({ values }) => values.some(isClineMessage),
  describe: (message) => ({ ...describeMessage(message), ...timeFact(message['ts']) }),
  open: (sink) => new MessagesReader(sink, readClineAnswers),
}

export const clineLegacyReader: SessionReader = {
  detect: ({ values }) => values.some(isLegacyMessage),
  describe: (message) => ({ ...describeMessage(message), isCovered: message['condenseParent'] !== undefined }),
  open: (sink) => new LegacyReader(new MessagesReader(sink, readClineAnswers)),
}
