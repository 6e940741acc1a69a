import type { NewSessionFormat } from '../schemas/reply-form.ts'
import { AGENTS } from './agents.ts'
import { neutralizeTags } from './control-tags.ts'
import { NewSessionDraft, type NewSession } from './writer.ts'

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
  const { writer, tags } = AGENTS[format]
  const { contentType, supports, write } = writer
  const summary = neutralizeTags(session.summary, tags)
  const draft = new NewSessionDraft({ ...session, summary }, supports)
  const body = write(draft)
  return { format, contentType, body, notCarried: draft.notCarried }
}
