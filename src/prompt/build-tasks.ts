import type { Spans } from '../model/summarize-spans.ts'
import type { SummaryTask } from '../model/summarizer.ts'
import { resolveReserveTokens, type CompactionSettings } from '../plan/settings.ts'
import type { Message } from '../session/message.ts'
import { buildHistoryPrompt, buildTurnPrefixPrompt, type HistoryGuidance } from './build-prompts.ts'
import type { Templates } from './load-templates.ts'

/** Shares of the reserve that a summary may take (api.md, "Output limits"). */
const HISTORY_SHARE = 0.8
const TURN_PREFIX_SHARE = 0.5

/** What is to be summarized: messages for the embedded summarizer, and how a model reads them. */
export interface SpanText {
  messages: readonly Message[]
  conversation: string
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

function historyTask({ messages, conversation }: SpanText, { guidance, templates, ...limits }: Options): SummaryTask {
  const { previousSummary } = guidance
  return {
    kind: 'history',
    ...buildHistoryPrompt({ ...guidance, templates, conversation }),
    maxTokens: limitOf(HISTORY_SHARE, limits),
    source: { form: 'messages', messages, ...(previousSummary === undefined ? {} : { previousSummary }) },
  }
}

function turnPrefixTask(
  { messages, conversation }: SpanText,
  { templates, withShortSummary, ...limits }: Options & { withShortSummary: boolean },
): SummaryTask {
  return {
    kind: 'turn-prefix',
    ...buildTurnPrefixPrompt({ templates, conversation, withShortSummary }),
    maxTokens: limitOf(TURN_PREFIX_SHARE, limits),
    source: { form: 'messages', messages },
  }
}

/** A reserve of a token or two still asks for an answer. */
const limitOf = (
  share: number,
  { settings, maxSummaryTokens }: Pick<Options, 'settings' | 'maxSummaryTokens'>,
): number => Math.max(1, Math.min(Math.floor(share * resolveReserveTokens(settings)), maxSummaryTokens))
