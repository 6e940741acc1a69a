import { removeBlocks } from '../../text/find-in-text.ts'
import { isSummaryAcknowledgement, readBareSummary, readFirstSummary } from '../summary-message.ts'
import { findEvents, readSummaryEvent } from './events.ts'
import { findLabels } from './read.ts'

/** A transcript without the summary with which it began. */
interface SplitTranscript {
  transcript: string
  summary?: string
  /** The label before the summary: it shows the syntax of the transcript. */
  firstLabel?: string
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
  const [first, ...others] = findLabels(transcript)
  if (first === undefined) return { transcript }
  const lead = transcript.slice(0, first.start)
  if (lead.trim() !== '') return takeLead(transcript, lead)
  if (first.isOthers) return { transcript }
  const label = transcript.slice(first.start, first.end)
  const isFollowed = others.some(({ start, end }) => transcript.slice(start, end) === label)
  const [second, third] = others
  const summary = readFirstSummary(transcript.slice(first.end, second?.start), isFollowed)
  if (summary === undefined) return { transcript }
  if (second === undefined) return { transcript: '', summary, firstLabel: label }
  const answer = transcript.slice(second.end, third?.start)
  const from = isSummaryAcknowledgement(answer) ? third?.start : second.start
  return { transcript: from === undefined ? '' : transcript.slice(from), summary, firstLabel: label }
}

/** Separates a summary before the first label, or behind one that no transcript has, such as `[System]:`. */
function takeLead(transcript: string, lead: string): SplitTranscript {
  const summary = readBareSummary(lead, true)
  return summary === undefined ? { transcript } : { transcript: transcript.slice(lead.length), summary }
}
