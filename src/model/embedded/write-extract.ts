import { collectFiles } from '../../extract/collect-files.ts'
import { findWork } from '../../extract/find-work.ts'
import { WorkNews } from '../../extract/work-news.ts'
import { readUncommitted, writeUncommitted } from './uncommitted-files.ts'
import { markEarlier } from './mark-earlier.ts'
import { readEarlierWork } from './earlier-work.ts'
import { cutRequest, namingWords, USER_SHARE } from '../../extract/cut-request.ts'
import { readUserText } from '../../extract/user-text.ts'
import { estimateMessageTokens, estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { LATER_SUMMARY_TOKENS } from '../../plan/settings.ts'
import type { Assignment } from '../../prompt/build-tasks.ts'
import type { SummaryKind } from '../../prompt/task.ts'
import { readWaiting } from './answered.ts'
import { buildExtractiveSummary } from './build-extractive-summary.ts'
import { readFile } from './describe-details.ts'
import { findRareLines, readFocus, weighFocus } from './focus.ts'
import { extractFacts } from './extract-facts.ts'
import { parseSummary } from './parse-summary.ts'
import { writeExtractiveSummary, type ExtractiveSummary } from './extractive-summary.ts'
import { RANK } from './ranked-lines.ts'
import { readPrompt, type PromptContent } from './read-prompt.ts'
import type { SessionFacts } from './facts.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { quoteSectionLines } from '../../text/sections.ts'
import { oneLine, shorten } from '../../text/shorten.ts'

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
  const files = previous?.statements.state
    .map(readFile)
    .filter((file) => file !== undefined)
    .reverse()
  const focus = readFocus(instructions)
  const waiting = previous?.statements.blocked.flatMap((text) => readWaiting(text) ?? [])
  const uncommitted = news.uncommitted(readUncommitted(previous?.statements.state))
  const facts = {
    ...extractFacts(content, { work, news, files, focus, waiting }),
    notes: content.notes ?? [],
    uncommitted,
  }
  if (maxTokens <= MAX_SHORT_TOKENS && kind === 'prompt') return writeShort(facts, previous, maxTokens)
  const short = WITH_SHORT_SUMMARY.has(kind) ? shortSummaryTag(writeShort(facts, previous, SHORT_SUMMARY_TOKENS)) : ''
  const extractive =
    kind === 'turn-prefix' ? extractTurn(facts, content, maxTokens) : buildExtractiveSummary(facts, previous)
  const room = detailedTokens(content, maxTokens) - (content.carriedTokens ?? 0) * CARRIED_SHARE
  extractive.context.push(...findRareLines(content.messages, focus, Object.values(extractive).flat()))
  weighFocus(Object.values(extractive).flat(), focus, room)
  const request = facts.wholeRequest ?? previous?.wholeRequest ?? ''
  const text = writeExtractiveSummary(extractive, kind, {
    request: cutRequest(request, maxTokens * USER_SHARE).text,
    maxTokens: maxTokens - estimateTextTokens(short),
    // It takes no room of details.
    detailedTokens: room + estimateTextTokens(writeUncommitted(uncommitted) ?? ''),
  })
  // Where only the headings would fit, sentences say more.
  const isTooLong = estimateTextTokens(text + short) > maxTokens
  return text === '' || isTooLong ? writeShort(facts, previous, maxTokens) : text + short
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
  const goal = [{ text: quoteSectionLines(facts.firstRequest ?? facts.newestRequest ?? ''), rank: RANK.request }]
  const items = facts.work.items.map((item) => (item.kind === 'request' ? { ...item, text: '' } : item))
  const work = { ...facts.work, items }
  return { ...buildExtractiveSummary({ ...facts, turns, constraints, work }), goal }
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

/** Returns how long a summary with details may be. */
function detailedTokens({ messages, runs, previousSummary }: PromptContent, maxTokens: number): number {
  const inputTokens = messages.reduce((sum, message) => sum + (message.tokens ?? estimateMessageTokens(message)), 0)
  const spoken = estimateTextTokens(messages.flatMap((message) => readUserText(message) ?? []).join('\n\n'))
  const beside = Math.max(maxTokens * MAX_DETAILED_SHARE, maxTokens * MAX_SHARE_WITH_WORDS - spoken)
  const files = estimateTextTokens(Object.values(collectFiles({ messages, runs })).flat().join('\n'))
  const added = Math.min(spoken, maxTokens * USER_SHARE) + files + EVIDENCE_TOKENS
  const room = Math.min(
    Math.max(maxTokens * DETAILED_SHARE, Math.min(DETAILED_TOKENS, beside)),
    Math.max(LEAST_DETAILED_TOKENS, WHOLE_TOKENS - added),
  )
  const share = inputTokens * INPUT_SHARE
  if (previousSummary === undefined) return Math.min(room, share)
  return Math.min(room, Math.max(LATER_SUMMARY_TOKENS, share + estimateTextTokens(previousSummary)))
}

const shortSummaryTag = (text: string): string => `\n\n<short-summary>${text}</short-summary>`

const MAX_SENTENCE_TEXT_CHARACTERS = 160
const MAX_FILES = 4

/** Writes two or three sentences in the first person about the changes, within a limit of tokens. */
function writeShort(facts: SessionFacts, previous: ParsedSummary | undefined, maxTokens: number): string {
  const sentences = [workedOn(facts, previous), changed(facts), outcome(facts, previous)].filter((text) => text !== '')
  const kept: string[] = []
  for (const sentence of sentences) {
    if (estimateTextTokens([...kept, sentence].join(' ')) <= maxTokens) kept.push(sentence)
  }
  // Even a limit of a few tokens gets the beginning of the first sentence: an answer is never blank.
  return kept.length > 0 ? kept.join(' ') : shorten(sentences[0] ?? 'Nothing.', Math.max(2, maxTokens * 3))
}

function workedOn({ newestRequest, firstRequest }: SessionFacts, previous: ParsedSummary | undefined): string {
  const asked = newestRequest ?? previous?.newestRequest ?? previous?.goal[0] ?? firstRequest ?? ''
  const request = shorten(oneLine(namingWords(asked)), MAX_SENTENCE_TEXT_CHARACTERS)
  return request === '' ? '' : endSentence(`Request: ${request}`)
}

function changed({ turns }: SessionFacts): string {
  const files = [...new Set(turns.flatMap(({ changedFiles }) => changedFiles))]
  if (files.length === 0) return ''
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : ''
  return `I changed ${files.slice(-MAX_FILES).join(', ')}${more}.`
}

/** Returns a sentence about the end: the failure of the last command, the agent's newest words, or its last call. */
function outcome({ commands, turns, lastCall = '' }: SessionFacts, previous: ParsedSummary | undefined): string {
  const { command, outcome: ended } = commands.at(-1) ?? {}
  if (ended?.kind === 'failed') return `\`${command}\` failed (${ended.status ?? 'error'}).`
  const said = turns.at(-1)?.outcome || previous?.statements.done.at(-1)?.replace(/^[-*]\s+(?:\[.\]\s*)?/, '') || ''
  const last = said === '' && lastCall !== '' ? `My last tool call: ${lastCall}` : said
  return last === '' ? '' : endSentence(shorten(oneLine(last), MAX_SENTENCE_TEXT_CHARACTERS))
}

/** Agents announce a call by a colon: nothing follows it here. */
const endSentence = (text: string): string =>
  /[.!?。！？…]$/u.test(text) ? text : `${text.replace(/(?<![\s:;,])[\s:;,]+$/, '')}.`
