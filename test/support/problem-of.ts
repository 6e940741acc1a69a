import { Problem } from '../../src/errors.ts'

/** The problem that a call throws, as plain data. Anything else that it throws goes on. */
export function problemOf(run: () => unknown): { type: string; faults: [pointer: string, detail: string][] } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { type: error.type, faults: error.faults.map(({ pointer, detail }) => [pointer, detail]) }
  }
  throw new Error('No problem was thrown.')
}
