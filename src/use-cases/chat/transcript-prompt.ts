import { findLabels } from '../../model/embedded/foreign-transcript.ts'
import { takeTranscriptSummary } from '../../model/embedded/transcript-summary.ts'
import { findConversation } from '../../session/transcript.ts'
import { findBlocks, removeBlocks } from '../../text/find-in-text.ts'

/** A prompt that has a conversation in it, in its parts. */
interface TranscriptPrompt {
  /** Empty if nothing follows the earlier summary. */
  transcript: string
  firstLabel?: string | undefined
  previousSummary?: string
  /** What is neither transcript nor summary; empty if there is nothing else. */
  words: string
}

/** Splits a prompt that a client has written around a conversation. A prompt in an unknown form is all transcript. */
export function splitTranscriptPrompt(request: string): TranscriptPrompt {
  const place = findTranscript(request)
  const rest = place === undefined ? '' : request.slice(0, place.start) + request.slice(place.end)
  const [prior] = PRIOR_MARKS.flatMap(({ open, close }) => findBlocks(rest, open, close))
  const { transcript, summary, firstLabel } = takeTranscriptSummary(
    request.slice(place?.start, place?.end).trim().replace(LEAD, '').replace(CLINE_TAGS, ''),
  )
  const previousSummary = [prior?.inner.trim(), summary].filter(Boolean).join('\n\n')
  return {
    transcript: transcript === NO_MESSAGES ? '' : transcript,
    firstLabel,
    words: removeBlocks(rest, prior === undefined ? [] : [prior])
      .replace(EMPTY_MARKS, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    ...(previousSummary === '' ? {} : { previousSummary }),
  }
}

/** The first line of LangChain's transcripts. */
const LEAD = /^Messages to summarize:\n/

/** The tags around the words of the user in Cline's transcripts. */
const CLINE_TAGS = /<user_input mode="\w{1,20}">|<\/user_input>/g

/** What Cline writes for no messages. */
const NO_MESSAGES = '(empty)'

/** The marks around an earlier summary: opencode 1.18, OpenHands, oh-my-pi, Cline 3.0.65. */
const PRIOR_MARKS = [
  { open: /<prior-summary>/, close: '</prior-summary>' },
  { open: /<PREVIOUS SUMMARY>/, close: '</PREVIOUS SUMMARY>' },
  { open: /<previous-summary>/, close: '</previous-summary>' },
  { open: /\nPrevious summary:\n/, close: '\nConversation:\n' },
]

/** The marks that are left without the transcript between them. */
const EMPTY_MARKS = /<(conversation|messages)>\s{0,20}<\/\1>|\nConversation(?: to summarize)?:\n(?:\s{0,20}Summary:)?/g

interface Place {
  start: number
  end: number
}

/**
 * Returns where the transcript is in a prompt; undefined if it is the whole text. The first mark decides: the others may
 * stand in the conversation.
 */
function findTranscript(request: string): Place | undefined {
  if (findLabels(request.trimStart())[0]?.start === 0) return undefined
  const places = TRANSCRIPTS.map(({ mark, find }) => ({ at: request.indexOf(mark), find }))
  return places
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .reduce<Place | undefined>((found, { find }) => found ?? find(request), undefined)
}

/** Returns the text between two marks: LangChain 1.5, and deepagents 1.14. */
const between =
  (open: string, close: string) =>
  (request: string): Place | undefined => {
    const start = request.indexOf(open) + open.length
    const end = request.lastIndexOf(close)
    return end < start ? undefined : { start, end }
  }

/** Cline 3.0.65: the template, the earlier summary, the conversation. */
function findAfterTemplate(request: string): Place | undefined {
  const match = CONVERSATION_LINE.exec(request)
  return match === null ? undefined : { start: match.index + match[0].length, end: request.length }
}

const CONVERSATION_LINE = /\nConversation:\n(?=\[|\(empty\))/

/** OpenHands: the earlier summary may quote events. */
function findEventRow(request: string): Place | undefined {
  const [first] = findBlocks(request, /<PREVIOUS SUMMARY>/, '</PREVIOUS SUMMARY>')
  const start = request.indexOf('<EVENT', first?.end ?? 0)
  const end = request.lastIndexOf(EVENT_END) + EVENT_END.length
  return start >= 0 && end > start ? { start, end } : undefined
}

const EVENT_END = '</EVENT>'

/** How prompts with a transcript begin, and where it is in them. */
const TRANSCRIPTS: readonly { mark: string; find: (request: string) => Place | undefined }[] = [
  // opencode 1.18, oh-my-pi
  { mark: '<conversation>', find: findConversation },
  { mark: '<messages>', find: between('<messages>', '</messages>') },
  {
    mark: '\nConversation to summarize:\n',
    find: between('\nConversation to summarize:\n', '\nSummary:'),
  },
  { mark: 'Summarize this session for continuation.', find: findAfterTemplate },
  // OpenHands, with an earlier summary or without one
  { mark: '<PREVIOUS SUMMARY>', find: findEventRow },
  { mark: '<EVENT', find: findEventRow },
]
