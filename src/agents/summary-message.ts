import { fieldsOf, parseJson } from '../session/entry.ts'
import { ACKNOWLEDGEMENT, COMPACTION_LEAD } from '../session/message-text.ts'
import { GOAL_LABELS, HEADINGS } from '../text/summary-headings.ts'
import { textIn } from '../text/tagged-text.ts'
import type { Agent, SummaryMessage } from './agent.ts'
import { AGENTS } from './agents.ts'
import { OWN_START } from './own-summary.ts'

/**
 * Returns a summary without the mark at which LiteLLM adds the tool `headroom_retrieve`: the conversation may quote one.
 */
export const withoutMarker = (summary: string): string => summary.replace(/hash=(?=[0-9a-f]{24})/gi, 'hash: ')

/** The line after a summary that a client puts before other text, so that a later compaction finds its end. */
export const END_OF_SUMMARY = '(End of the summary of the earlier conversation.)'

const TAGS = { after: '<summary>', before: '</summary>' }

/** Those of this service, of the agents, and of clients whose sessions are not read. */
const SUMMARY_MESSAGES: readonly SummaryMessage[] = [
  { start: OWN_START },
  // This service, in the messages of `POST /context`
  { start: COMPACTION_LEAD, ...TAGS },
  ...Object.values<Agent>(AGENTS).flatMap(({ summaryMessages = [] }) => summaryMessages),
  // LangChain 1.5, and deepagents 1.14 if it could not store the conversation
  { start: 'Here is a summary of the conversation to date:' },
  // deepagents 1.14
  { start: 'You are in the middle of a conversation that has been summarized.', ...TAGS },
  // LiteLLM 1.92, at the beginning of the system prompt of the caller, whose own text often begins with these words
  { start: 'Previous conversation summary:', before: END_OF_SUMMARY, otherwiseBefore: '\n\nYou are ' },
]

/** Returns the summary in a text that a client has written around it; undefined for any other text. */
export function readSummaryMessage(text: string): string | undefined {
  const trimmed = text.trimStart()
  const found = findForm(trimmed)
  if (found === undefined) return readAlert(trimmed)
  const { start, after = '', before = '', otherwiseBefore = '' } = found
  const own = trimmed.slice(0, findKept(trimmed, found))
  const at = after === '' ? -1 : own.indexOf(after)
  const from = at < 0 ? (after === '' ? start.length : endOfLead(own, start.length)) : at + after.length
  const marked = before === '' ? -1 : own.lastIndexOf(before)
  const end = marked < 0 && otherwiseBefore !== '' ? own.indexOf(otherwiseBefore) : marked
  const summary = own.slice(from, end > from ? end : undefined).trim()
  return summary === '' ? undefined : summary
}

/** Returns where the first line ends, if it says nothing but that a summary follows. */
function endOfLead(text: string, from: number): number {
  const [rest] = LEAD.exec(text.slice(from, from + LEAD_CHARACTERS)) ?? []
  return from + (rest?.length ?? 0)
}

const LEAD_CHARACTERS = 300
const LEAD = /^[^\n]{0,280}:[ \t]{0,4}\n/

/** Returns the newer messages that a client has kept, as text, after the summary in a message; '' without them. */
export function readKeptText(text: string): string {
  const trimmed = text.trimStart()
  const form = findForm(trimmed)
  const at = form === undefined ? undefined : findKept(trimmed, form)
  return at === undefined ? '' : (textIn(trimmed.slice(at), `${form?.keptIn}`) ?? '').trim()
}

const findForm = (text: string): SummaryMessage | undefined =>
  SUMMARY_MESSAGES.find(({ start }) => text.startsWith(start))

/** Returns where the kept messages begin: their first tag on a line of its own, because they may quote any tag. */
function findKept(text: string, { keptIn }: SummaryMessage): number | undefined {
  const at = keptIn === undefined ? -1 : text.indexOf(`\n<${keptIn}>\n`)
  return at < 0 ? undefined : at
}

/** Returns the summary in a message of Letta: JSON with a type, a time, and the summary after a sentence. */
function readAlert(text: string): string | undefined {
  const { message } = fieldsOf(ALERT.test(text) ? parseJson(text) : undefined)
  const [, summary = ''] = typeof message === 'string' ? (ALERT_SUMMARY.exec(message) ?? []) : []
  return summary.trim() || undefined
}

const ALERT = /^\{"type": ?"system_alert"/
const ALERT_SUMMARY = /^Note: [^\n]{0,200}\nThe following is a summary of the previous [^\n]{0,40}:\n([^]*)/

/** A first line in which a client of any name announces a summary: `Summary of the conversation so far:`. */
const ANNOUNCEMENT =
  /^(?=[^\n]{0,80}\b(?:conversation|session|context|chat|history|transcript|discussion)\b)(?:[\w',-]{1,20} ){0,8}summary\b[^\n:]{0,60}:[ \t]{0,4}(?:\n|(?=#{1,6} |<))/i

/** A label before a summary that begins on the same line. */
const LABEL =
  /^(?:(?:previous|prior|earlier) )?(?:conversation|session|context|chat|history) summary(?: so far| to date)?:[ \t]{1,4}(?=\S)/i

/** A line that is the name of such a summary and nothing else: `# Conversation Summary`. */
const NAME_LINE =
  /^(?<mark>#{1,3} |\*\*)?(?:(?:this|here) is (?:a|the) |the )?(?:(?:previous|prior|earlier|running) )?(?:(?:conversation|session|context|chat|history) summary|summary of (?:the|our|this) (?:(?:previous|prior|earlier|older) )?(?:conversation|session|context|chat|history|discussion)(?: history)?)(?: so far| to date)?:?(?:\*\*)?:?[ \t]{0,4}\n/i

/** Returns the summary below such a line, as a client of any name puts it into a system message; undefined for any other text. */
export function readNamedSummary(text: string): string | undefined {
  const trimmed = text.trimStart()
  const [line] = NAME_LINE.exec(trimmed) ?? []
  return (line === undefined ? '' : trimmed.slice(line.length).trim()) || undefined
}

/** The same where the line is a heading, with sections below it: no request has them. */
function readTitledSummary(text: string): string | undefined {
  const summary = NAME_LINE.exec(text)?.groups?.['mark'] === undefined ? undefined : readNamedSummary(text)
  return summary !== undefined && /(?:^|\n)#{1,4} [^\n]{1,80}\n/.test(summary) ? summary : undefined
}

/**
 * Returns the summary with which a conversation begins, also if its client is unknown; undefined for any other text.
 * @param isFollowed whether the user says something later: words on the line of a label may also be a request
 */
export function readFirstSummary(text: string, isFollowed: boolean): string | undefined {
  const known = readSummaryMessage(text) ?? readBareSummary(text, isFollowed)
  if (known !== undefined) return known
  const trimmed = text.trimStart()
  const [announced] = ANNOUNCEMENT.exec(trimmed) ?? (isFollowed ? LABEL.exec(trimmed) : undefined) ?? []
  const summary = announced === undefined ? '' : trimmed.slice(announced.length).trim()
  return summary === '' ? (isFollowed ? readTitledSummary(trimmed) : undefined) : summary
}

/** The answers to a summary that this service and agents write in the model's name. */
const ACKNOWLEDGEMENTS = new Set([
  ACKNOWLEDGEMENT,
  ...Object.values<Agent>(AGENTS).flatMap(({ acknowledgement = [] }) => acknowledgement),
])

/** Returns whether an answer of the model only acknowledges a summary. */
export const isSummaryAcknowledgement = (text: string): boolean => ACKNOWLEDGEMENTS.has(text.trim())

/** Returns whether an answer of the model is a summary without words around it, as Roo and Kilo store it. */
export const isBareSummary = (text: string): boolean =>
  BARE_SUMMARIES.some((parts) => parts.every((part) => text.includes(part)))

const USER_MESSAGES = `\n${HEADINGS.userMessages}\n(Word for word, newest first.)\n`

/** Patterns of bare summaries: those of this service, and those that models write by Roo's prompt. */
const BARE_SUMMARIES = [
  [`${HEADINGS.goal}\n`, `\n${HEADINGS.constraints}\n`, `\n${HEADINGS.progress}\n`],
  [USER_MESSAGES],
  ['Context:', '1. Previous Conversation:', '2. Current Work:'],
]

/** One short line that ends in a colon; the summary may begin on it. */
const INTRODUCTION = /^[^\n#<>]{1,200}:[ \t]{0,4}(?:\n\s{0,20}|(?=[#<]))/

/** The whole text in one element whose name ends in `summary`. */
const IN_TAGS = /^<([\w-]{0,30}summary)>([^]*)<\/\1>$/i

/**
 * Returns the summary of this service that a text is, after an introduction or in tags, whoever says it: a client of any name may have put
 * it there. Only marks that no user writes count.
 * @param isFollowed whether the user says something later: an introduction may also be a request about a summary
 * @returns undefined for any other text
 */
export function readBareSummary(text: string, isFollowed: boolean): string | undefined {
  const trimmed = text.trim()
  const introduction = isFollowed ? (INTRODUCTION.exec(trimmed)?.[0] ?? '') : ''
  const body = trimmed.slice(introduction.length)
  const tagged = IN_TAGS.exec(body)?.[2]
  const summary = (tagged ?? body).trim()
  if (!isOwn(summary)) return undefined
  return tagged === undefined && endsInWords(summary) ? undefined : summary
}

/** Returns whether a text is a summary with the marks of this service: what its code writes, or all sections of its prompt. */
const isOwn = (text: string): boolean =>
  text.startsWith('## ') && (hasLabel(text) || text.includes(USER_MESSAGES) || hasAllSections(text))

/** Returns whether a text begins with the goal as the embedded summarizer writes it. */
const hasLabel = (text: string): boolean =>
  Object.values(GOAL_LABELS).some((label) => text.startsWith(`${HEADINGS.goal}\n${label}`)) &&
  text.includes(`\n${HEADINGS.progress}\n`)

const SECTIONS = [
  ...[HEADINGS.goal, HEADINGS.constraints, HEADINGS.progress, HEADINGS.state],
  ...[HEADINGS.decisions, HEADINGS.nextSteps, HEADINGS.context],
]

/** Returns whether a text has the sections that a model writes by the prompt of this service, in order. */
function hasAllSections(text: string): boolean {
  const places = SECTIONS.map((heading) => `\n${text}`.indexOf(`\n${heading}\n`))
  return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1))
}

/** Returns whether the last paragraph is plain words: a request that the client has put below the summary. */
const endsInWords = (text: string): boolean => /^[^#>(<|`*\-\d\s]/.test(text.slice(text.lastIndexOf('\n\n') + 2))
