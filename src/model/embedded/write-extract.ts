import { collectCourse } from '../../extract/collect-course.ts'
import { collectFiles } from '../../extract/collect-files.ts'
import { readDemands } from '../../extract/demands.ts'
import { findWork } from '../../extract/find-work.ts'
import { findWaiting } from '../../extract/waiting.ts'
import type { SessionWork } from '../../extract/work-item.ts'
import { WorkNews } from '../../extract/work-news.ts'
import { readUncommitted, writeUncommitted } from './uncommitted-files.ts'
import { markEarlier } from './mark-earlier.ts'
import { readEarlierWork } from './earlier-work.ts'
import { cutRequest, USER_SHARE } from '../../extract/cut-request.ts'
import { readUserText } from '../../extract/user-text.ts'
import { estimateMessageTokens, estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { LATER_SUMMARY_TOKENS } from '../../plan/settings.ts'
import type { Assignment } from '../../prompt/build-tasks.ts'
import type { SummaryKind } from '../../prompt/task.ts'
import { readWaiting } from './answered.ts'
import { buildExtractiveSummary } from './build-extractive-summary.ts'
import { readFile } from './describe-details.ts'
import { findRareLines, readFocus, weighFocus, type Focus } from './focus.ts'
import { ConversationReader } from './conversation-reader.ts'
import { parseSummary } from './parse-summary.ts'
import { writeExtractiveSummary, type ExtractiveSummary } from './extractive-summary.ts'
import { RANK } from './ranked-lines.ts'
import { writeShort } from './write-short.ts'
import { readPrompt, type PromptContent } from './read-prompt.ts'
import type { SessionFacts } from './facts.ts'
import { quoteSectionLines } from '../../text/sections.ts'
import { oneLine } from '../../text/shorten.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'

/** The kinds whose prompts ask a model for a short summary (prompts/short.md): this summarizer writes one too. */
const WITH_SHORT_SUMMARY = new Set<SummaryKind>(['history', 'turn-prefix', 'continuation'])
const SHORT_SUMMARY_TOKENS = 100

/** Clients ask for 512 tokens or fewer when they want a line for a list (docs/clients.md, "oh-my-pi"). */
const MAX_SHORT_TOKENS = 600

/**
 * Writes a summary without a model, a key or the network. It extracts and ranks: its text comes from its input, except
 * headings and a few labels, and the same input gives the same text.
 */
export function writeExtract({ kind, source, maxTokens, focus: instructions }: Assignment): string {
  const content: PromptContent = source.form === 'prompt' ? readPrompt(source.prompt) : source
  const news = new WorkNews(content)
  const { previousSummary } = content
  const parsed = previousSummary === undefined ? undefined : (content.previousParts ?? parseSummary(previousSummary))
  const work = content.work ?? findWork(content, { earlier: parsed && readEarlierWork(parsed) })
  const previous = parsed && markEarlier(parsed, { ...content, ...work, news })
  const focus = readFocus(instructions)
  const facts = extractFacts(content, { work, news, previous, focus })
  if (maxTokens <= MAX_SHORT_TOKENS && kind === 'prompt') return writeShort(facts, previous, maxTokens)
  const short = WITH_SHORT_SUMMARY.has(kind) ? shortSummaryTag(writeShort(facts, previous, SHORT_SUMMARY_TOKENS)) : ''
  const extractive =
    kind === 'turn-prefix' ? extractTurn(facts, content, maxTokens) : buildExtractiveSummary(facts, previous)
  const { room, newest, spoken } = detailedTokens(content, maxTokens)
  extractive.context.push(...findRareLines(content.messages, focus, Object.values(extractive).flat()))
  weighFocus(Object.values(extractive).flat(), focus, room)
  const request = facts.wholeRequest ?? previous?.wholeRequest ?? ''
  const previousTokens = estimateTextTokens(content.previousSummary ?? '')
  // It takes no room of details.
  const uncommittedTokens = estimateTextTokens(writeUncommitted(facts.uncommitted) ?? '')
  for (const share of SHARES_TRIED) {
    const text = writeExtractiveSummary(extractive, kind, {
      request: cutRequest(request, maxTokens * USER_SHARE).text,
      maxTokens: maxTokens * share - estimateTextTokens(short),
      ...{ previousTokens, carriedTokens: content.carriedTokens ?? 0, spokenTokens: spoken },
      ...{ detailedTokens: room + uncommittedTokens, newestTokens: newest },
    })
    if (text !== '' && estimateTextTokens(text + short) <= maxTokens) return text + short
  }
  // Where only the headings would fit, sentences say more.
  return writeShort(facts, previous, maxTokens)
}

/** The estimate of a text may differ from the sum of those of its lines. */
const SHARES_TRIED = [1, 0.9, 0.8]

interface Known {
  /** The requests, tasks and steps of the conversation. */
  work: SessionWork
  /** What happened in the conversation, and when. */
  news: WorkNews
  /** The earlier summary, with marks on what does not hold any more. */
  previous: ParsedSummary | undefined
  /** What the user wants the summary to pay attention to. */
  focus: Focus | undefined
}

/** Extracts the facts that an agent needs from a conversation, in one pass. */
function extractFacts(content: PromptContent, { work, news, previous, focus }: Known) {
  const { messages, runs, notes = [] } = content
  const { state = [], blocked = [] } = previous?.statements ?? {}
  const files = state.flatMap((text) => readFile(text) ?? []).reverse()
  const reader = new ConversationReader({ runs, files, focus, work })
  for (const [at, message] of messages.entries()) reader.read(message, at)
  const { standing, newestBans, said } = readDemands(messages, work.items)
  const waiting = blocked.flatMap((text) => readWaiting(text) ?? [])
  return {
    ...reader.facts(work, news),
    ...{ focus, said, notes },
    constraints: [...standing, ...newestBans],
    course: collectCourse(content),
    waiting: findWaiting(messages, waiting),
    uncommitted: news.uncommitted(readUncommitted(state)),
  }
}

/**
 * Extracts the beginning of a turn. It has one request, which code adds word for word: neither a label nor its words in
 * other sections are needed.
 */
function extractTurn(facts: SessionFacts, { messages }: PromptContent, maxTokens: number): ExtractiveSummary {
  const turns = facts.turns.map((turn) => ({ ...turn, request: '' }))
  const request = messages.flatMap((one) => readUserText(one) ?? []).join('\n')
  const shown = oneLine(cutRequest(request, maxTokens * USER_SHARE).text)
  const constraints = facts.constraints.filter((sentence) => !shown.includes(oneLine(sentence).replace(/…[`"”]*$/, '')))
  const goal = [
    {
      text: quoteSectionLines(facts.firstRequest ?? facts.newestRequest ?? request),
      rank: RANK.request,
    },
  ]
  const items = facts.work.items.map((item) => (item.kind === 'request' ? { ...item, text: '' } : item))
  const work = { ...facts.work, items }
  const { closing: _, ...stand } = facts.stand
  return { ...buildExtractiveSummary({ ...facts, stand, turns, constraints, work }), goal }
}

/**
 * The share of the limit that a summary with details may take: code adds the user's messages, evidence and file lists to
 * it.
 */
const DETAILED_SHARE = 0.6

/**
 * Where the limit allows it, a summary with details has so much room. It leaves a quarter of the limit to code; if the user has said
 * less than that, it leaves room for that and for the rest of what code adds.
 */
const DETAILED_TOKENS = 6000
const MAX_DETAILED_SHARE = 0.75
const MAX_SHARE_WITH_WORDS = 0.88

/** The share of the input: a summary of a small session is much shorter than the session. */
const INPUT_SHARE = 0.25

/** The user's messages say a part of what is done too: they take the place of as much of the details. */
const CARRIED_SHARE = 0.5

/** A summary with all that code adds to it has this length, unless the user has said so much that hardly anything else had room. */
const WHOLE_TOKENS = 8000
const LEAST_DETAILED_TOKENS = 3000

/** What code adds of commits and failures, and of notes, roughly. */
const EVIDENCE_TOKENS = 300

/** Returns how long a summary with details may be, how long one of the messages alone, and how much the user has said in these. */
function detailedTokens(
  { messages, runs, previousSummary, carriedTokens = 0 }: PromptContent,
  maxTokens: number,
): Record<'room' | 'newest' | 'spoken', number> {
  const inputTokens = messages.reduce((sum, message) => sum + (message.tokens ?? estimateMessageTokens(message)), 0)
  const spoken = estimateTextTokens(messages.flatMap((message) => readUserText(message) ?? []).join('\n\n'))
  const beside = Math.max(maxTokens * MAX_DETAILED_SHARE, maxTokens * MAX_SHARE_WITH_WORDS - spoken)
  const files = estimateTextTokens(Object.values(collectFiles({ messages, runs })).flat().join('\n'))
  const added = Math.min(spoken, maxTokens * USER_SHARE) + files + EVIDENCE_TOKENS
  const most = Math.min(
    Math.max(maxTokens * DETAILED_SHARE, Math.min(DETAILED_TOKENS, beside)),
    Math.max(LEAST_DETAILED_TOKENS, WHOLE_TOKENS - added),
  )
  const share = inputTokens * INPUT_SHARE
  const later = Math.max(LATER_SUMMARY_TOKENS, share + estimateTextTokens(previousSummary ?? ''))
  const elsewhere = carriedTokens * CARRIED_SHARE
  const newest = Math.min(most, share) - elsewhere
  return { room: previousSummary === undefined ? newest : Math.min(most, later) - elsewhere, newest, spoken }
}

const shortSummaryTag = (text: string): string => `\n\n<short-summary>${text}</short-summary>`
