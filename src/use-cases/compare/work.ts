import { invalidBody } from '../../ingest/compile-validator.ts'
import { readInclude } from '../../ingest/read-query.ts'
import { readingOf, readRequest } from '../../ingest/read-request.ts'
import { wrongParameter } from '../../errors.ts'
import { COMPARISON_FORMS, COMPARISON_PARTS } from '../../schemas/comparison.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { compareSession } from './compare-session.ts'

const READING = readingOf(COMPARISON_FORMS, false)

export default summaryWork({ compare: compareSession }, ({ query, ...body }, context) => {
  const { include, others } = readInclude(query, COMPARISON_PARTS)
  const request = readRequest({ ...body, query: others }, READING, context)
  const isFile = request.format !== undefined || request.source.isLines
  const refuse = (detail: string) =>
    isFile ? wrongParameter('compaction', detail) : invalidBody([{ pointer: '/compaction', detail }])
  return { name: 'compare', request: { ...request, include, refuse }, notes: request }
})
