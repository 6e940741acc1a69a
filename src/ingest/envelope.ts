import { rawParts } from '../agents/shared/raw-json.ts'
import { Problem, SEND_BODY, type Fault } from '../errors.ts'
import { isObject } from '../session/entry.ts'

/** Returns the pointer of a fault in the body for its pointer in the session that an envelope has. */
export type MovePointer = (pointer: string) => string

/** Runs a function; the faults of its problem point to where they are in the body. */
export function moveFaults<T>(work: () => T, move: MovePointer): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem) || error.faults.length === 0) throw error
    const { type, message, faults, status } = error
    throw new Problem(type, message, { faults: movePointers(faults, move), status, cause: error.cause })
  }
}

export const movePointers = (faults: readonly Fault[], move: MovePointer): Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: move(fault.pointer) }))

/** The words with which the problem of a session speaks of the body. */
const BODY = /\b([Tt])he (?:request |NDJSON )?body\b/g

/**
 * Runs a function that reads the session of an envelope; its problem speaks of this session, and its faults point to it: the
 * envelope itself is not wrong.
 */
export function inEnvelope<T>(session: unknown, work: () => T): T {
  const move = intoSession(session)
  try {
    return moveFaults(work, move)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { type, message, status, cause } = error
    const name = typeof session === 'string' ? 'he text in `session`' : 'he value of `session`'
    const detail = message
      .replace(
        'The request body is not valid JSON',
        'The text in `session` is no session, because it is not valid JSON',
      )
      .replace(SEND_BODY, ' Send a session.')
      .replace(BODY, (_, first: string) => first + name)
    const faults = error.faults.length > 0 ? error.faults : [NO_SESSION]
    throw new Problem(type, detail, { faults, status, cause })
  }
}

/** Returns whether a document is an envelope. */
export const hasSession = (document: object): boolean => !Array.isArray(document) && Object.hasOwn(document, 'session')

/**
 * Returns the session of an envelope as it came, and where it begins, in bytes: a parser would change its numbers.
 * @param session a document, or the text of one
 * @throws Problem `invalid-request` for any other value
 */
export function findEnvelopeSession(body: Buffer, session: unknown): { text: string; offset: number } {
  if (typeof session === 'string') return { text: session, offset: 0 }
  if (!isObject(session)) throw noList()
  const json = body.toString()
  const { start, end } = rawParts(json).findLast(({ name }) => name === 'session') ?? { start: 0, end: 0 }
  return { text: json.slice(start, end), offset: Buffer.byteLength(json.slice(0, start)) }
}

/** Points into the `session` of an envelope. The elements of a list have no field in front of their number there. */
export const intoSession =
  (session: unknown): MovePointer =>
  (pointer) =>
    `/session${Array.isArray(session) ? pointer.replace(/^\/(?:entries|messages)/, '') : pointer}`

const NO_SESSION: Fault = { pointer: '/session', detail: 'must be a session of a known format, or its text' }

/** Returns the problem of an envelope whose session has neither entries nor messages. */
export function noList(): Problem {
  return new Problem('invalid-request', 'The `session` of the envelope has no entries or messages.', {
    faults: [NO_SESSION],
  })
}
