import { Problem, SEND_BODY, type Fault } from '../errors.ts'
import type { ByteRange } from '../session/entry.ts'
import { isOwnForm } from './choose-reader.ts'
import { brokenJson } from './explain-broken-body.ts'
import { findJsonFault } from './find-json-fault.ts'
import { OPEN_BRACKET } from '../text/json-scan.ts'

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

/** Returns whether a body is an envelope. One of the service's own forms may have such a field too. */
export const isEnvelope = (fields: object): boolean =>
  Object.hasOwn(fields, 'session') && !isOwnForm(fields) && !Array.isArray(fields)

/**
 * Runs a function that reads the session of an envelope; its problem speaks of this session, and its faults point to it: the
 * envelope itself is not wrong, unless it is no JSON.
 */
export function inEnvelope<T extends { isLines?: boolean }>(session: EnvelopeSession, read: () => T): T {
  try {
    const found = speakOf(session, read)
    // Lines are no JSON value.
    if (found.isLines === true) throwIfBroken(session)
    return found
  } catch (error) {
    throwIfBroken(session)
    throw error
  }
}

function throwIfBroken({ kind, envelope }: EnvelopeSession): void {
  if (kind === 'document' && findJsonFault(envelope) !== undefined) throw brokenJson(envelope)
}

function speakOf<T>({ kind, move }: EnvelopeSession, work: () => T): T {
  try {
    return moveFaults(work, move)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { type, message, status, cause } = error
    const name = kind === 'text' ? 'he text in `session`' : 'he value of `session`'
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

interface EnvelopeSession {
  kind: 'text' | 'document'
  body: Buffer
  envelope: Buffer
  /** Where it begins in the envelope, in bytes; 0 for a text. */
  offset: number
  /** Returns where a fault of it is in the envelope. */
  move: MovePointer
}

/**
 * Returns the session of an envelope.
 * @param value its text
 * @param range where it is if it is not a text
 * @throws Problem `invalid-request` for any other value
 */
export function envelopeSession(envelope: Buffer, value: unknown, range: ByteRange | undefined): EnvelopeSession {
  if (range === undefined) {
    if (typeof value !== 'string') throw noList()
    return { kind: 'text', body: Buffer.from(value), envelope, offset: 0, move: intoSession }
  }
  const { start, end } = range
  // The elements of a list have no field in front of their number there.
  const isList = envelope[start] === OPEN_BRACKET
  const move: MovePointer = (pointer) => intoSession(isList ? pointer.replace(/^\/(?:entries|messages)/, '') : pointer)
  return { kind: 'document', body: envelope.subarray(start, end), envelope, offset: start, move }
}

const intoSession: MovePointer = (pointer) => `/session${pointer}`

const NO_SESSION: Fault = { pointer: '/session', detail: 'must be a session of a known format, or its text' }

/** Returns the problem of an envelope whose session has neither entries nor messages. */
export function noList(): Problem {
  return new Problem('invalid-request', 'The `session` of the envelope has no entries or messages.', {
    faults: [NO_SESSION],
  })
}
