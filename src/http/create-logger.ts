import type { FastifyBaseLogger } from 'fastify'
import { pino, type DestinationStream } from 'pino'

/** Returns a logger that writes JSON lines, by default to stdout. */
export function createLogger(level: string, logTo?: DestinationStream): FastifyBaseLogger {
  const options = {
    level,
    // The message of an error may quote a body or text of a model server.
    serializers: { err: ({ name, code }: { name?: string; code?: string }) => ({ name, code }) },
  }
  // Written asynchronously; the rest is written at exit.
  return pino(options, logTo ?? pino.destination({ sync: false }))
}
