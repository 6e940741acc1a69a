import { PROBLEMS } from '../errors.ts'
import { ProblemSchema } from '../schemas/problem.ts'

/** What every route may answer instead of its reply, for OpenAPI: one entry for all, since the table has the statuses. */
export const problemResponses = {
  default: {
    description: `A problem (RFC 9457): ${Object.keys(PROBLEMS).join(', ')}.`,
    content: { 'application/problem+json': { schema: ProblemSchema } },
  },
}
