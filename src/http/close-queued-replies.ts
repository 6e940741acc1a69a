import type { FastifyInstance } from 'fastify'

/**
 * Closes the replies of pipelined requests with their connection. Node tells only the reply whose turn it is that the socket
 * has closed; those queued behind it would never end, and never give back what was held for them.
 */
export function closeQueuedReplies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
    if (raw.socket !== null) return
    const close = (): void => {
      if (!raw.closed) raw.emit('close')
    }
    socket.once('close', close)
    raw.once('close', () => socket.off('close', close))
  })
}
