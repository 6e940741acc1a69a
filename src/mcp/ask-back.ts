import { startRedaction } from '../redact/redaction.ts'
import type { StoredSession } from './host.ts'
import type { KnownSession, KnownSessions } from './known-session.ts'
import { quoteInLine, quoteName } from './quote.ts'

const MAX_LISTED = 8
const REQUEST_CHARACTERS = 100

/** The question which session a call is about. It is the answer to the call: agents show an error as a tool that failed. */
export class SessionQuestion extends Error {}

/** Returns the question that has the agent choose a session, or an error if there is none to choose. */
export function askBack(why: string, sessions: readonly StoredSession[], known: KnownSessions): Error {
  if (sessions.length === 0) return new Error(`${why} There is none at all that this agent has written.`)
  const lines = sessions.slice(0, MAX_LISTED).map((one) => `- ${describe(one, known)}`)
  return new SessionQuestion(
    `${why} Call again with "session" and the id of yours, which you know by its first request; if you do not, ask the ` +
      `user. Do not guess.\n${lines.join('\n')}`,
  )
}

const firstRequestIn = ({ passages }: KnownSession): string =>
  passages.find(({ kinds: [kind], tool }) => kind === 'request' && tool === undefined)?.text ?? ''

function describe(stored: StoredSession, known: KnownSessions): string {
  const { id, agent, modifiedMs } = stored
  const facts = `${quoteName(id)} (${agent}, changed ${new Date(modifiedMs).toISOString()})`
  try {
    const request = stored.firstRequest ?? firstRequestIn(known.open(stored))
    const { text } = startRedaction(true, { texts: [request] })
    return `${facts}, first request: ${quoteInLine(text(request), REQUEST_CHARACTERS)}`
  } catch {
    return `${facts}, cannot be read`
  }
}
