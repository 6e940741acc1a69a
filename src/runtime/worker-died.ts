/** Why a worker ended: it used more memory or CPU time than it may, or something else, which may have been an accident. */
export type DeathReason = 'memory' | 'cpu-time' | 'other'

const DEATHS: Record<DeathReason, string> = {
  memory: 'A worker ran out of memory.',
  'cpu-time': 'A job took too much CPU time.',
  other: 'A worker ended unexpectedly.',
}

/** A worker ended in the middle of a job. */
export class WorkerDied extends Error {
  readonly reason: DeathReason
  /** By the monotonic clock, in milliseconds. */
  readonly diedAt = performance.now()

  constructor(reason: DeathReason) {
    super(DEATHS[reason])
    this.name = 'WorkerDied'
    this.reason = reason
  }
}
