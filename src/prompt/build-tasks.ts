import type { Spans } from '../model/summarize-spans.ts'
import type { Division, SummaryTask } from '../model/summarizer.ts'
import type { CompactionSettings } from '../plan/settings.ts'
import type { Message } from '../session/message.ts'
import { buildHistoryPrompt, buildTurnPrefixPrompt, type HistoryGuidance } from './build-prompts.ts'
import { HISTORY_SHARE, limitTokens, TURN_PREFIX_SHARE } from './limit-tokens.ts'
import type { Templates } from './load-templates.ts'

/** A continuation prompt is read in one go; prompts/continuation.md names the same limit. */
const MAX_CONTINUATION_TOKENS = 1500

/** What is to be summarized: messages for the embedded summarizer, and how a model reads them. */
export interface SpanText {
  messages: readonly Message[]
  conversation: string
  /** Where the transcript may be cut; `message` unless told. */
  unit?: Division['unit'] | undefined
}

interface TaskOptions {
  spans: Spans<SpanText>
  guidance: HistoryGuidance
  settings: CompactionSettings
  templates: Templates
  /** The cap: ceiling of any one summary. */
  maxSummaryTokens: number
}

/** Turns the spans of a plan into the texts to be written, each with its prompt and its limit. */
export function buildTasks({ spans, ...options }: TaskOptions): Spans<SummaryTask> {
  const { history, turnPrefix } = spans
  const withShortSummary = history === undefined
  return {
    ...(history === undefined ? {} : { history: historyTask(history, options) }),
    ...(turnPrefix === undefined ? {} : { turnPrefix: turnPrefixTask(turnPrefix, { ...options, withShortSummary }) }),
  }
}

type Options = Omit<TaskOptions, 'spans'>

function historyTask(
  { messages, ...text }: SpanText,
  { guidance, templates, settings, maxSummaryTokens }: Options,
): SummaryTask {
  const { previousSummary, style } = guidance
  const maxTokens = limitTokens(HISTORY_SHARE, settings, maxSummaryTokens)
  return {
    kind: style ?? 'history',
    ...buildHistoryPrompt({ ...guidance, ...text, templates }),
    maxTokens: style === 'continuation' ? Math.min(maxTokens, MAX_CONTINUATION_TOKENS) : maxTokens,
    source: { form: 'messages', messages, ...(previousSummary === undefined ? {} : { previousSummary }) },
  }
}

function turnPrefixTask(
  { messages, ...text }: SpanText,
  { templates, withShortSummary, settings, maxSummaryTokens }: Options & { withShortSummary: boolean },
): SummaryTask {
  return {
    kind: 'turn-prefix',
    ...buildTurnPrefixPrompt({ ...text, templates, withShortSummary }),
    maxTokens: limitTokens(TURN_PREFIX_SHARE, settings, maxSummaryTokens),
    source: { form: 'messages', messages },
  }
}
