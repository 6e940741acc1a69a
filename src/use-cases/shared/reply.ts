import type { Reply } from '../../jobs/protocol.ts'
import { startRedaction } from '../../redact/redaction.ts'
import type { FormatId } from '../../schemas/format.ts'
import type { Ignored, RequestReport } from '../../schemas/ignored.ts'
import { reportIgnored } from '../../summary/report.ts'
import { defined } from '../../text/defined.ts'

/** The notes of a reply on how its request was read. */
export interface ReadingNotes {
  ignored?: Ignored | undefined
  format?: FormatId | undefined
}

/** Returns the field `report` of a reply without a summary; no field if there is nothing to report. */
export function requestReport({ ignored, format }: ReadingNotes, redact: boolean): { report?: RequestReport } {
  if (ignored === undefined && format === undefined) return {}
  return { report: defined({ format, ignored: ignored && reportIgnored(ignored, startRedaction(redact)) }) }
}

/** Returns a value as JSON; it may be JSON already. */
export const writeJson = (value: object): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))

/** Returns the reply of work that needs no model. */
export const replyWith = (value: object): Reply => ({ kind: 'reply', body: writeJson(value) })
