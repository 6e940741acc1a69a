import { Problem, type Fault } from '../errors.ts'

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

/** Points into the `session` of an envelope. The elements of a list have no field in front of their number there. */
export const intoSession =
  (session: unknown): MovePointer =>
  (pointer) =>
    `/session${Array.isArray(session) ? pointer.replace(/^\/(?:entries|messages)/, '') : pointer}`
