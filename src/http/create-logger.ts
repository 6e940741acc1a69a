import type { FastifyBaseLogger } from 'fastify'
import { pino, type DestinationStream, type Logger } from 'pino'

/** Returns a logger that writes JSON lines, by default to stdout. */
export function createLogger(level: string, logTo?: DestinationStream): FastifyBaseLogger {
  const options = {
    level,
    // The message of an error may quote a body or text of a model server.
    serializers: { err: ({ name, code }: { name?: string; code?: string }) => ({ name, code }) },
  }
  // Written asynchronously; the rest is written at exit. With a least length, `flush` waits for the end of a write.
  return pino(options, logTo ?? pino.destination({ sync: false, minLength: 1 }))
}

/**
 * Calls a function when all lines are written, or cannot be written. Without it, a process whose log is a closed pipe does not end: at
 * exit, pino 10 repeats the write again and again.
 */
export function whenLogged(log: FastifyBaseLogger & Partial<Pick<Logger, 'flush'>>, done: () => void): void {
  if (log.flush === undefined) done()
  else log.flush(() => done())
}
