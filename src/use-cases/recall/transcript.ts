import { takeTranscriptSummary } from '../../agents/transcripts/summary.ts'
import type { Entry } from '../../session/entry.ts'
import { parseConversation, transcriptEntries } from '../../session/parse-transcript.ts'
import type { SessionToSearch } from './join-copies.ts'

/** Reads a transcript as a session: an earlier summary with which it begins is not what the user said. */
export function readConversation({ conversation }: { conversation: string }): SessionToSearch {
  const { transcript, summary } = takeTranscriptSummary(conversation)
  const entries = transcriptEntries(parseConversation(transcript))
  if (summary !== undefined) entries.unshift(summaryEntry(summary))
  return { entries, branch: entries, source: { body: NO_BODY } }
}

/** The elements of a transcript have no times. */
const NO_BODY = Buffer.alloc(0)

const summaryEntry = (summary: string): Entry => ({
  ...{ index: -1, range: { start: 0, end: 0 }, id: 'summary', parentId: null, type: 'message' },
  message: { role: 'compactionSummary', summary },
})
