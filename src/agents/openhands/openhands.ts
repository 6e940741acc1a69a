import type { Agent } from '../agent.ts'
import { openhandsV0Appender, openhandsV1Appender } from './append.ts'
import { openhandsV0Reader } from './read-v0.ts'
import { openhandsV1Reader } from './read-v1.ts'

export const OPENHANDS_V0: Agent = {
  id: 'openhands-v0',
  reader: openhandsV0Reader,
  appender: openhandsV0Appender,
  continueWith: () => ({
    sentence:
      'The trajectory ends with the compaction. Whether OpenHands 0.x continues with it was not tested (docs/agents.md).',
  }),
}

export const OPENHANDS_V1: Agent = {
  id: 'openhands-v1',
  reader: openhandsV1Reader,
  appender: openhandsV1Appender,
  continueWith: () => ({
    sentence:
      'Continue with OpenHands: put the last line, as a file of its own, into the folder of the conversation (docs/agents.md).',
  }),
}
