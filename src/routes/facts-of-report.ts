import type { Report } from '../schemas/compaction-reply.ts'

/** What of a report goes into the request's log line: names and counts. */
export const factsOfReport = ({ model, strategy, calls, usage }: Report) => ({ model, strategy, calls, ...usage })
