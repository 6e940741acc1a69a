import { readingOf, readRequest } from '../../ingest/read-request.ts'
import { HANDOFF_FORMS } from '../../schemas/handoff.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { writeHandoff } from './write-handoff.ts'

const READING = readingOf(HANDOFF_FORMS, false)

export const work = summaryWork({ handoff: writeHandoff }, (received, context) => {
  const request = readRequest(received, READING, context)
  return { name: 'handoff', request, ignored: request.ignored, format: request.format }
})
