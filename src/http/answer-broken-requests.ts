import type { Socket } from 'node:net'
import { PROBLEMS, Problem } from '../errors.ts'
import { problemBody } from './send-problem.ts'

const answered = new WeakMap<Socket, number>()

/** The status with which a connection was ended whose requests could not be read; undefined where it was not. */
export const brokenStatusOf = (socket: Socket): number | undefined => answered.get(socket)

/**
 * Answers what Node's HTTP parser gives up on, before there is a request: a body that came too slowly, or bytes that
 * are no HTTP. The connection ends with it.
 */
export function answerBrokenRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const problem =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Problem('request-timeout', 'The request did not come within the time that this service waits.')
      : new Problem('invalid-request', 'The request is not HTTP/1.1.')
  const { title } = PROBLEMS[problem.type]
  const body = JSON.stringify(problemBody(problem))
  const head = [
    `HTTP/1.1 ${problem.status} ${title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  answered.set(socket, problem.status)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
