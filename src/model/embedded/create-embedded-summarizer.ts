import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import type { Draft, Summarizer, SummaryKind, SummaryTask } from '../summarizer.ts'
import { buildOutline } from './build-outline.ts'
import { extractFacts } from './extract-facts.ts'
import { createPace } from '../../pace.ts'
import { runInTurns } from '../../steps.ts'
import { parseSummary } from './parse-summary.ts'
import { readPrompt, type PromptContent } from './read-prompt.ts'
import { writeOutline } from './write-outline.ts'
import { writeShort } from './write-short.ts'

/** What a compaction's prompt asks a model for (prompts/short.md), this summarizer brings too. */
const WITH_SHORT_SUMMARY = new Set<SummaryKind>(['history', 'turn-prefix', 'continuation'])
const SHORT_SUMMARY_TOKENS = 100

const shortSummaryTag = (text: string): string => `\n\n<short-summary>${text}</short-summary>`

/** Clients ask for 512 tokens or fewer when they want a line for a list (docs/clients.md, "oh-my-pi"). */
const SHORT_TOKENS = 600

/**
 * Creates the summarizer that needs no model, no key and no network. It extracts and ranks: what it writes stands in
 * its input, but for headings and a few labels, and the same input gives the same text.
 * @param options.windowTokens what a plan shows as the summarizer's window, though this one has no limit
 */
export function createEmbeddedSummarizer({ windowTokens }: { windowTokens: number }): Summarizer {
  return {
    name: 'embedded',
    windowTokens: () => windowTokens,
    summarize: async (task, { signal }): Promise<Draft> => ({
      text: await write(task, signal),
      model: 'embedded',
      calls: 0,
      redactions: 0,
      windows: 1,
      usage: { inputTokens: 0, outputTokens: 0 },
    }),
  }
}

async function write({ kind, source, maxTokens }: SummaryTask, signal: AbortSignal): Promise<string> {
  const pace = createPace(signal)
  const content: PromptContent =
    source.form === 'prompt'
      ? await runInTurns(readPrompt(source.prompt), pace)
      : { ...source, messages: [...source.messages] }
  const facts = await extractFacts(content.messages, pace)
  const previous = content.previousSummary === undefined ? undefined : parseSummary(content.previousSummary)
  if (maxTokens <= SHORT_TOKENS && kind === 'prompt') return writeShort(facts, previous, maxTokens)
  const short = WITH_SHORT_SUMMARY.has(kind) ? shortSummaryTag(writeShort(facts, previous, SHORT_SUMMARY_TOKENS)) : ''
  const outline = buildOutline(facts, previous)
  // A turn's beginning has one request: no labels are needed to tell it from others.
  if (kind === 'turn-prefix') outline.goal = [{ text: facts.firstRequest ?? '', rank: 0 }]
  const text = writeOutline(outline, kind, maxTokens - estimateTextTokens(short))
  // Where the headings alone take the room, words say more.
  const isTooLong = estimateTextTokens(text + short) > maxTokens
  return text === '' || isTooLong ? writeShort(facts, previous, maxTokens) : text + short
}
