import { takeTranscriptSummary } from '../../model/embedded/transcript-summary.ts'
import { findConversation } from '../../session/transcript.ts'
import { findBlocks, removeBlocks } from '../../text/find-in-text.ts'

/** A prompt that has a conversation in it, in its parts. */
interface TranscriptPrompt {
  /** Empty if nothing follows the earlier summary. */
  transcript: string
  previousSummary?: string
  /** What is neither transcript nor summary; empty if there is nothing else. */
  words: string
}

/** Splits a prompt that a client has written around a conversation. A prompt in an unknown form is all transcript. */
export function splitTranscriptPrompt(request: string): TranscriptPrompt {
  const place = findTranscript(request)
  const rest = place === undefined ? '' : request.slice(0, place.start) + request.slice(place.end)
  const [prior] = PRIOR_MARKS.flatMap(({ open, close }) => findBlocks(rest, open, close))
  const { transcript, summary } = takeTranscriptSummary(
    request.slice(place?.start, place?.end).trim().replace(LEAD, '').replace(CLINE_TAGS, ''),
  )
  const previousSummary = [prior?.inner.trim(), summary].filter(Boolean).join('\n\n')
  return {
    transcript: transcript === NO_MESSAGES ? '' : transcript,
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

/** Returns where the transcript is in a prompt: between tags or other marks, or a row of events; undefined if it is the whole text. */
function findTranscript(request: string): Place | undefined {
  return [findConversation, findMessages, findAfterTemplate, findEventRow].reduce<Place | undefined>(
    (found, find) => found ?? find(request),
    undefined,
  )
}

/** LangChain 1.5, and deepagents 1.14. */
function findMessages(request: string): Place | undefined {
  const marks = [
    { open: '<messages>', close: '</messages>' },
    { open: '\nConversation to summarize:\n', close: '\nSummary:' },
  ]
  const places = marks.map(({ open, close }) => {
    const start = request.indexOf(open)
    return { start: start + open.length, end: start < 0 ? -1 : request.lastIndexOf(close) }
  })
  return places.find(({ start, end }) => end >= start)
}

/** Cline 3.0.65: the template, the earlier summary, the conversation. */
function findAfterTemplate(request: string): Place | undefined {
  if (!request.startsWith(TEMPLATE_START)) return undefined
  const match = CONVERSATION_LINE.exec(request)
  return match === null ? undefined : { start: match.index + match[0].length, end: request.length }
}

const TEMPLATE_START = 'Summarize this session for continuation.'
const CONVERSATION_LINE = /\nConversation:\n(?=\[|\(empty\))/

/** OpenHands: the earlier summary may quote events. */
function findEventRow(request: string): Place | undefined {
  const [first] = findBlocks(request, /<PREVIOUS SUMMARY>/, '</PREVIOUS SUMMARY>')
  const start = request.indexOf('<EVENT', first?.end ?? 0)
  const end = request.lastIndexOf(EVENT_END) + EVENT_END.length
  return start >= 0 && end > start ? { start, end } : undefined
}

const EVENT_END = '</EVENT>'
