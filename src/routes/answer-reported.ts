import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerAsAsked, type Work } from '../http/answer-as-asked.ts'
import type { Reported } from '../observe/count-report.ts'
import { noteReport } from './note-report.ts'

/** Does a request's work and answers in the way that was asked for; what the reply says of itself is noted. */
export const answerReported = <T extends Reported>(
  request: FastifyRequest,
  reply: FastifyReply,
  { work, heartbeatMs }: { work: Work<T>; heartbeatMs: number },
): Promise<T> =>
  answerAsAsked(request, reply, {
    heartbeatMs,
    work: async (budget) => {
      const result = await work(budget)
      noteReport(request, result)
      return result
    },
  })
