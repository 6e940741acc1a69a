import { findLabels } from '../../agents/transcripts/read.ts'
import { takeTranscriptSummary } from '../../agents/transcripts/summary.ts'
import { findConversation } from '../../session/transcript.ts'
import { removeBlocks } from '../../text/find-in-text.ts'

/** A prompt that has a conversation in it, in its parts. */
interface TranscriptPrompt {
  /** Empty if nothing follows the earlier summary. */
  transcript: string
  firstLabel?: string | undefined
  previousSummary?: string
  /** The text that is neither transcript nor summary; empty if there is none. */
  words: string
}

/** Splits a prompt that a client has written around a conversation. A prompt in an unknown form is all transcript. */
export function splitTranscriptPrompt(request: string): TranscriptPrompt {
  const { transcript: place, prior } = findTranscript(request) ?? { transcript: { start: 0, end: request.length } }
  const { transcript, summary, firstLabel } = takeTranscriptSummary(
    request.slice(place.start, place.end).trim().replace(LEAD, '').replace(CLINE_TAGS, ''),
  )
  const previousSummary = [request.slice(prior?.start ?? 0, prior?.end ?? 0).trim(), summary]
    .filter(Boolean)
    .join('\n\n')
  const others = prior === undefined ? [place] : [place, { start: prior.open, end: prior.close }]
  return {
    transcript: transcript === NO_MESSAGES ? '' : transcript,
    firstLabel,
    words: removeBlocks(
      request,
      others.sort((one, other) => one.start - other.start),
    )
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

/** The marks that Cline writes for no messages. */
const NO_MESSAGES = '(empty)'

/** The marks that are left without the transcript between them. */
const EMPTY_MARKS = /<(conversation|messages)>\s{0,20}<\/\1>|\nConversation(?: to summarize)?:\n(?:\s{0,20}Summary:)?/g

interface Place {
  start: number
  end: number
}

/** Where an earlier summary is, and where its marks begin and end. */
interface Prior extends Place {
  open: number
  close: number
}

interface Parts {
  transcript: Place
  prior?: Prior
}

/**
 * Returns where the transcript and the earlier summary are in a prompt; undefined if it is all transcript. The first mark
 * decides on the form: the others may be in the conversation. Marks of an earlier summary count only in their own form.
 */
function findTranscript(request: string): Parts | undefined {
  if (findLabels(request.trimStart())[0]?.start === 0) return undefined
  const places = TRANSCRIPTS.map(({ mark, find }) => ({ at: request.indexOf(mark), find }))
  return places
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .reduce<Parts | undefined>((found, { find }) => found ?? find(request), undefined)
}

/** Returns the text between two marks: LangChain 1.5, and deepagents 1.14. Their transcripts have the earlier summary. */
const between =
  (open: string, close: string) =>
  (request: string): Parts | undefined => {
    const start = request.indexOf(open) + open.length
    const end = request.lastIndexOf(close)
    return end < start ? undefined : { transcript: { start, end } }
  }

/** opencode 1.18, oh-my-pi: the conversation, the earlier summary, the instructions. */
function findTagged(request: string): Parts | undefined {
  const open = request.indexOf(CONVERSATION)
  if (open < 0) return undefined
  const start = open + CONVERSATION.length
  PRIOR_AFTER.lastIndex = start
  const match = PRIOR_AFTER.exec(request)
  const prior = match === null ? undefined : findPrior(request, match)
  if (match !== null && prior !== undefined) return { transcript: { start, end: match.index }, prior }
  const transcript = findConversation(request)
  return transcript === undefined ? undefined : { transcript }
}

const CONVERSATION = '<conversation>'

/** The end of the conversation, a line of words, and the opening tag of the earlier summary. */
const PRIOR_AFTER = /<\/conversation>\n{1,3}(?:[^\n]{1,300}\n{1,3})?<(prior|previous)-summary>(?=\n)/g

/** Returns the earlier summary behind an opening tag; undefined if the conversation quotes it, and ends only after it. */
function findPrior(request: string, { index, 0: match, 1: name = '' }: RegExpExecArray): Prior | undefined {
  const start = index + match.length
  const tag = `\n</${name}-summary>`
  const end = request.lastIndexOf(tag)
  if (end < start || request.includes('\n</conversation>', end)) return undefined
  return { open: start - `<${name}-summary>`.length, start, end, close: end + tag.length }
}

/** Cline 3.0.65: the template, the earlier summary, the conversation. */
function findAfterTemplate(request: string): Parts | undefined {
  const match = CONVERSATION_LINE.exec(request) ?? CONVERSATION_MARK.exec(request)
  if (match === null) return undefined
  const transcript = { start: match.index + match[0].length, end: request.length }
  const open = request.indexOf(PREVIOUS_LINE)
  if (open < 0 || open > match.index) return { transcript }
  const prior = { open, start: open + PREVIOUS_LINE.length, end: match.index, close: transcript.start }
  return { transcript, prior }
}

const PREVIOUS_LINE = '\nPrevious summary:\n'
const CONVERSATION_LINE = /\n\nConversation:\n(?=\s{0,8}\[(?:User|Bot|Tool result)[^\n]{0,320}\]:|\(empty\))/

/** The same, before a transcript without labels. */
const CONVERSATION_MARK = /\n\nConversation:(?:\n|$)/

/** OpenHands: before version 1, the earlier summary is before the events; it may quote some. */
function findEventRow(request: string): Parts | undefined {
  const prior = findPriorEvents(request)
  const start = request.indexOf('<EVENT', prior?.close ?? 0)
  const end = request.lastIndexOf(EVENT_END) + EVENT_END.length
  if (start < 0 || end <= start) return undefined
  return { transcript: { start, end }, ...(prior === undefined ? {} : { prior }) }
}

const EVENT_END = '</EVENT>'

function findPriorEvents(request: string): Prior | undefined {
  const open = request.indexOf(PREVIOUS_TAG)
  const firstEvent = request.indexOf('\n<EVENT')
  if (open < 0 || (firstEvent >= 0 && firstEvent < open)) return undefined
  PREVIOUS_END.lastIndex = open
  const match = PREVIOUS_END.exec(request)
  if (match === null) return undefined
  return { open, start: open + PREVIOUS_TAG.length, end: match.index, close: match.index + match[0].length }
}

const PREVIOUS_TAG = '\n<PREVIOUS SUMMARY>\n'

/** The end of the earlier summary is followed by the first event. */
const PREVIOUS_END = /<\/PREVIOUS SUMMARY>(?=\s{0,8}<EVENT)/g

/** How prompts with a transcript begin, and where it is in them. */
const TRANSCRIPTS: readonly { mark: string; find: (request: string) => Parts | undefined }[] = [
  { mark: CONVERSATION, find: findTagged },
  { mark: '<messages>', find: between('<messages>', '</messages>') },
  {
    mark: '\nConversation to summarize:\n',
    find: between('\nConversation to summarize:\n', '\nSummary:'),
  },
  { mark: 'Summarize this session for continuation.', find: findAfterTemplate },
  // OpenHands, with an earlier summary or without one
  { mark: PREVIOUS_TAG, find: findEventRow },
  { mark: '<EVENT', find: findEventRow },
]
