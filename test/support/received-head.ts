import type { RequestHead } from '../../src/jobs/protocol.ts'
import type { UseCase } from '../../src/use-cases/use-case.ts'

/** Returns the head of a request of a use case, as its route makes it. */
export const receivedHead = ({ path }: UseCase, others: Partial<RequestHead> = {}): RequestHead => ({
  ...{ path, requestId: 'r', hasBody: true, isLines: false, query: {}, modes: {}, wantsPlan: false, startedAt: 0 },
  ...others,
})
