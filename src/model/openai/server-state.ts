import type { UnreachableServer } from '../summarizer.ts'
import type { Failure } from './failure.ts'

/** The state of an unreachable server is forgotten after this time: it may have come back, without a call to notice it. */
const FORGET_AFTER_MS = 600_000

/** Remembers whether the last call has reached its model server. */
export class ServerState {
  readonly #now: () => number
  #failed: (UnreachableServer & { atMs: number }) | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** @param failure that of the last call; undefined if it had a reply */
  note(host: string, failure?: Failure): void {
    const cause = failure?.unreachable
    this.#failed = cause === undefined ? undefined : { host, cause, atMs: this.#now() }
  }

  /** Returns the server and the cause if the last call did not reach it. */
  unreachable(): UnreachableServer | undefined {
    if (this.#failed === undefined || this.#now() - this.#failed.atMs > FORGET_AFTER_MS) return undefined
    const { host, cause } = this.#failed
    return { host, cause }
  }
}
