import type { NewSessionFormat } from '../schemas/reply-form.ts'
import { neutralizeTags } from './control-tags.ts'
import { ANTHROPIC } from './apis/write-anthropic.ts'
import { ATIF } from './atif/write.ts'
import { CHAT } from './apis/write-chat.ts'
import { CLAUDE_CODE } from './claude-code/write.ts'
import { CODEX } from './codex/write.ts'
import { GEMINI, QWEN } from './gemini/write.ts'
import { OPENCODE } from './opencode/write.ts'
import { PI } from './pi/write.ts'
import { RESPONSES } from './apis/write-responses.ts'
import { NewSessionDraft, type NewSession, type Writer } from './writer.ts'

/** The formats in which a new session can be written. */
export const WRITERS = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  opencode: OPENCODE,
  gemini: GEMINI,
  qwen: QWEN,
  pi: PI,
  atif: ATIF,
  chat: CHAT,
  anthropic: ANTHROPIC,
  responses: RESPONSES,
} as const satisfies Record<NewSessionFormat, Writer>

/** A session in the format of an agent or an API. */
export interface WrittenSession {
  format: NewSessionFormat
  contentType: string
  body: string
  /** The kinds of content that the format could not represent, with their counts. */
  notCarried: Readonly<Record<string, number>>
}

/** Returns a new session that begins with a summary and continues with the kept messages. */
export function writeSession(format: NewSessionFormat, session: NewSession): WrittenSession {
  const { contentType, holds, write }: Writer = WRITERS[format]
  const summary = neutralizeTags(session.summary, format)
  const draft = new NewSessionDraft({ ...session, summary }, holds)
  const body = write(draft)
  return { format, contentType, body, notCarried: draft.notCarried }
}
