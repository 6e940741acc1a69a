import type { RawEntry } from '../schemas/entry.ts'
import type { RawMessage } from '../schemas/message.ts'
import type { Pace } from '../pace.ts'
import { runInTurns } from '../steps.ts'
import type { Entry } from './entry.ts'
import { readMessages } from './read-messages.ts'
import { readSessionInSteps, type Session } from './read-session.ts'
import { selectBranch } from './select-branch.ts'

/** The part of a form that holds the session. */
export type SessionBody = ({ entries: RawEntry[] } | { messages: RawMessage[] }) & { leafId?: string }

/** Reads the session of an entries or messages form. @throws Problem `invalid-session` */
export function readSessionBody(body: SessionBody, pace: Pace): Promise<Session> {
  return runInTurns('entries' in body ? readSessionInSteps(body.entries) : readMessages(body.messages), pace)
}

/**
 * Reads the active branch of an entries or messages form, oldest entry first.
 * @throws Problem `invalid-session`
 */
export async function readBranch(body: SessionBody, pace: Pace): Promise<Entry[]> {
  return selectBranch(await readSessionBody(body, pace), body.leafId)
}
