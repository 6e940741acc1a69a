import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Report } from '../schemas/compaction-reply.ts'

/** Sets the header with the report of a request, whose reply has no place for it. */
export function setReport({ request: { reported }, reply }: { request: FastifyRequest; reply: FastifyReply }): void {
  if (reported !== undefined) void reply.header('x-precis-report', writeReport(reported.report))
}

/** Proxies refuse heads that are longer than some thousand bytes. */
const MAX_REPORT_CHARACTERS = 2000

/** Returns a report as compact JSON in ASCII; without the lists of the checks if it would be too long for a header. */
export function writeReport(report: Report): string {
  const { checks: _checks, ignored: _ignored, ...short } = report
  const [json = ''] = [report, short].map(asciiJson).filter(({ length }) => length <= MAX_REPORT_CHARACTERS)
  return json
}

const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
