import type { RawEntry } from '../schemas/entry.ts'
import type { RawMessage } from '../schemas/message.ts'
import type { Entry } from './entry.ts'
import { readMessages } from './read-messages.ts'
import { readSession } from './read-session.ts'
import { selectBranch } from './select-branch.ts'

/** The part of a form that holds the session. */
export type SessionBody = ({ entries: RawEntry[] } | { messages: RawMessage[] }) & { leafId?: string }

/**
 * Reads the active branch of an entries or messages form, oldest entry first.
 * @throws Problem `invalid-session`
 */
export function readBranch(form: SessionBody): Entry[] {
  const session = 'entries' in form ? readSession(form.entries) : readMessages(form.messages)
  return selectBranch(session, form.leafId)
}
