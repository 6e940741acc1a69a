import { findEvents, readSummaryEvent } from '../model/embedded/event-transcript.ts'
import { findLabels } from '../model/embedded/foreign-transcript.ts'
import { isSummaryAcknowledgement, readFirstSummary } from '../agents/summary-message.ts'
import { removeBlocks } from '../text/find-in-text.ts'

/** A transcript without the summary with which it began. */
interface SplitTranscript {
  transcript: string
  summary?: string
}

/**
 * Separates an earlier summary from the transcript that begins with it: clients that write their messages into a prompt
 * write the message with their last summary there too.
 */
export function takeTranscriptSummary(transcript: string): SplitTranscript {
  const events = findEvents(transcript)
  if (events.length > 0) {
    const summaries = events.filter((event) => readSummaryEvent(event) !== undefined)
    const summary = summaries.map(readSummaryEvent).at(-1)
    return summary ? { transcript: removeBlocks(transcript, summaries).trim(), summary } : { transcript }
  }
  const [first, second, third] = findLabels(transcript)
  if (first === undefined || transcript.slice(0, first.start).trim() !== '') return { transcript }
  const summary = readFirstSummary(transcript.slice(first.end, second?.start))
  if (summary === undefined) return { transcript }
  if (second === undefined) return { transcript: '', summary }
  const answer = transcript.slice(second.end, third?.start)
  const from = isSummaryAcknowledgement(answer) ? third?.start : second.start
  return { transcript: from === undefined ? '' : transcript.slice(from), summary }
}
