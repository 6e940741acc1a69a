import type { Entry } from './entry.ts'
import type { TranscriptMessage } from './parse-conversation.ts'

/** A transcript's messages as the entries of one line, so that the planning rules can cut it. */
export function transcriptEntries(transcript: readonly TranscriptMessage[]): Entry[] {
  return transcript.map(({ message }, index) => ({
    index,
    id: `c${index}`,
    parentId: index === 0 ? null : `c${index - 1}`,
    type: 'message',
    message,
    raw: {},
  }))
}
