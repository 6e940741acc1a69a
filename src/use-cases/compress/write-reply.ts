import { writeSummaryMessage } from '../../agents/own-summary.ts'
import type { CompressReply } from '../../schemas/compress.ts'
import { writeListReply } from '../shared/copy-elements.ts'
import { sizeOf, type SummarizedPoint } from './choose-known-cut.ts'
import type { CompressOutcome, SurveyOutcome } from './steps.ts'

interface ReplyParts extends CompressOutcome {
  /** As JSON; a part may be several messages with commas between them. */
  messages: readonly Buffer[]
  /** The number of leading messages that a summary has made stable. */
  frozen?: number
  /** The number of messages without their middle. */
  shortened: number
  /** The name that the client has given to its session. */
  sessionId?: string | undefined
}

/** Returns a `CompressReply` as JSON. */
export function writeReply({ messages, tokensBefore, tokensAfter, frozen, shortened, sessionId }: ReplyParts): Buffer {
  const transforms = {
    ...(frozen !== undefined && { 'precis:summary': 1 }),
    ...(shortened > 0 && { 'precis:shortened': shortened }),
  }
  const rest: Omit<CompressReply, 'messages'> = {
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    tokens_saved: tokensBefore - tokensAfter,
    compression_ratio: tokensBefore === 0 ? 1 : tokensAfter / tokensBefore,
    transforms_applied: Object.keys(transforms),
    transforms_summary: transforms,
    ccr_hashes: [],
    ...(sessionId !== undefined && {
      session: {
        id: sessionId,
        frozen_message_count: frozen ?? messages.length,
        cached_prefix_replayed: frozen !== undefined,
      },
    }),
  }
  return writeListReply('messages', messages, rest)
}

/** Returns the reply with a summary in place of the messages before a cut. Instructions stay. */
export function writeCutReply(
  { body, survey: { wholeBytes, sessionId }, tokensBefore }: SurveyOutcome & { body: Buffer },
  chosen: SummarizedPoint,
): { reply: Buffer; outcome: CompressOutcome } {
  const { instructions, kept, shortened } = chosen.point.parts
  const summary = { role: 'user', content: writeSummaryMessage(chosen.cut.summary) }
  const messages = [
    body.subarray(wholeBytes, wholeBytes + instructions.bytes),
    Buffer.from(JSON.stringify(summary)),
    body.subarray(kept.start, kept.end),
  ].filter(({ length }) => length > 0)
  const facts = { tokensBefore, tokensAfter: sizeOf(chosen) }
  const reply = writeReply({ messages, ...facts, frozen: instructions.count + 1, shortened, sessionId })
  return { reply, outcome: facts }
}
