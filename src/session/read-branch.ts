import type { RawEntry } from '../schemas/entry.ts'
import type { RawMessage } from '../schemas/message.ts'
import type { Entry } from './entry.ts'
import { readMessages } from './read-messages.ts'
import { readSession, type Session } from './read-session.ts'
import { selectBranch } from './select-branch.ts'

/** The part of a form that holds the session. */
export type SessionBody = ({ entries: RawEntry[] } | { messages: RawMessage[] }) & { leafId?: string }

/** Reads the session of an entries or messages form. @throws Problem `invalid-session` */
export function readSessionBody(body: SessionBody): Session {
  return 'entries' in body ? readSession(body.entries) : readMessages(body.messages)
}

/**
 * Reads the active branch of an entries or messages form, oldest entry first.
 * @throws Problem `invalid-session`
 */
export function readBranch(body: SessionBody): Entry[] {
  return selectBranch(readSessionBody(body), body.leafId)
}
