import type { FormatId } from '../../src/schemas/format.ts'
import {
  replayAtif,
  replayCline,
  replayCodex,
  replayGemini,
  replayMessages,
  replayOpencode,
  replayOpenhandsV0,
  replayOpenhandsV1,
  replayRoo,
} from './replay-lists.ts'
import { replayClaudeCode, replayPi, replayQwen, type Replay } from './replay-trees.ts'

/** What the agents read, by the formats into which a compaction is written back. */
export const REPLAYS: Readonly<Partial<Record<FormatId, Replay>>> = {
  pi: replayPi,
  'claude-code': replayClaudeCode,
  codex: replayCodex,
  gemini: replayGemini,
  qwen: replayQwen,
  opencode: replayOpencode,
  cline: replayCline,
  'cline-legacy': replayRoo,
  'openhands-v0': replayOpenhandsV0,
  'openhands-v1': replayOpenhandsV1,
  atif: replayAtif,
  chat: replayMessages,
  'ai-model': replayMessages,
  'ai-ui': replayMessages,
  anthropic: replayMessages,
  responses: replayMessages,
  'gemini-contents': replayMessages,
}
