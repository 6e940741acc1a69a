import type { FormatId } from '../schemas/format.ts'
import type { NewSessionFormat } from '../schemas/reply-form.ts'
import type { Agent } from './agent.ts'
import { AIDER } from './aider/aider.ts'
import { AI_MODEL, AI_UI, ANTHROPIC, CHAT, GEMINI_CONTENTS, RESPONSES } from './apis/apis.ts'
import { ATIF } from './atif/atif.ts'
import { CLAUDE_CODE } from './claude-code/claude-code.ts'
import { CLINE, CLINE_LEGACY } from './cline/cline.ts'
import { CODEX } from './codex/codex.ts'
import { GEMINI } from './gemini/gemini.ts'
import { GENCODE } from './gencode/gencode.ts'
import { GOOSE } from './goose/goose.ts'
import type { AgentDatabase } from './home.ts'
import { OPENCODE } from './opencode/opencode.ts'
import { OPENHANDS_V0, OPENHANDS_V1 } from './openhands/openhands.ts'
import { PI } from './pi/pi.ts'
import { QWEN } from './qwen/qwen.ts'
import { SWE_AGENT } from './swe-agent/swe-agent.ts'
import type { SessionWriter } from './writer.ts'

/**
 * All agents and APIs, in the order in which a document is tried. The compiler names one that is missing, and one whose new
 * sessions the contract promises and that has no writer.
 */
const RECORDS = {
  qwen: QWEN,
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  opencode: OPENCODE,
  gemini: GEMINI,
  atif: ATIF,
  'openhands-v1': OPENHANDS_V1,
  'openhands-v0': OPENHANDS_V0,
  'swe-agent': SWE_AGENT,
  goose: GOOSE,
  'ai-ui': AI_UI,
  aider: AIDER,
  'gemini-contents': GEMINI_CONTENTS,
  cline: CLINE,
  'cline-legacy': CLINE_LEGACY,
  'ai-model': AI_MODEL,
  responses: RESPONSES,
  gencode: GENCODE,
  anthropic: ANTHROPIC,
  pi: PI,
  chat: CHAT,
} satisfies Record<FormatId, Agent> & Record<NewSessionFormat, { writer: SessionWriter }>

/** The formats of the agents that keep their sessions in a database. */
export type DatabaseFormat = {
  [F in FormatId]: (typeof RECORDS)[F] extends { database: AgentDatabase } ? F : never
}[FormatId]

export const AGENTS: Readonly<Record<FormatId, Agent> & Record<NewSessionFormat, { writer: SessionWriter }>> = RECORDS
