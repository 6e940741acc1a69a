import { pairMessages } from '../../src/extract/runs.ts'
import { writeBlocks } from '../../src/prompt/serialize-conversation.ts'
import { blocksOf } from '../../src/prompt/transcript-blocks.ts'
import type { Message } from '../../src/session/message.ts'

/** Returns messages as the transcript that a model reads. */
export const serializeConversation = (messages: readonly Message[], budgetTokens: number): string =>
  writeBlocks(blocksOf(pairMessages(messages)), budgetTokens)
