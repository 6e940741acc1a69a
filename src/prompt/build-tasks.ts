import type { Segments, Chunking, SummaryTask } from './task.ts'
import { type CompactionSettings, HISTORY_SHARE, limitTokens, TURN_PREFIX_SHARE } from '../plan/settings.ts'
import type { Message } from '../session/message.ts'
import { buildHistoryPrompt, buildTurnPrefixPrompt, type HistoryGuidance } from './build-prompts.ts'
import type { Templates } from './templates.ts'
import { fitWindow, promptTokensOf } from './chunk-prompt.ts'

/** A continuation prompt must be short enough to be read at once; prompts/continuation.md names the same limit. */
const MAX_CONTINUATION_TOKENS = 1500

/** The text to be summarized: as messages for the embedded summarizer, and as a transcript for models. */
export interface SegmentText {
  messages: readonly Message[]
  conversation: string
  /** Where the transcript may be split; default: `message`. */
  unit?: Chunking['unit'] | undefined
}

interface TaskOptions {
  segments: Segments<SegmentText>
  guidance: HistoryGuidance
  settings: CompactionSettings
  templates: Templates
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
}

type Options = Omit<TaskOptions, 'segments'>

/** Returns the task of each segment of a plan, with its prompt and its output limit. */
export function buildTasks({ segments, ...options }: TaskOptions): Segments<SummaryTask> {
  const { history, turnPrefix } = segments
  const withShortSummary = history === undefined
  return {
    ...(history === undefined ? {} : { history: historyTask(history, options) }),
    ...(turnPrefix === undefined ? {} : { turnPrefix: turnPrefixTask(turnPrefix, { ...options, withShortSummary }) }),
  }
}

function historyTask(
  { messages, ...text }: SegmentText,
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
  { messages, ...text }: SegmentText,
  { templates, withShortSummary, settings, maxSummaryTokens }: Options & { withShortSummary: boolean },
): SummaryTask {
  return {
    kind: 'turn-prefix',
    ...buildTurnPrefixPrompt({ ...text, templates, withShortSummary }),
    maxTokens: limitTokens(TURN_PREFIX_SHARE, settings, maxSummaryTokens),
    source: { form: 'messages', messages },
  }
}

/**
 * Measures what will be sent to a summarizer.
 * @param windowTokens its context window; undefined when it has no limit (the embedded summarizer)
 * @returns `windows`: the number of chunks, without merges; `promptTokens`: the tokens of the prompts before splitting
 */
export function measureTasks(
  tasks: readonly SummaryTask[],
  windowTokens: number | undefined,
): { windows: number; promptTokens: number } {
  const promptTokens = tasks.reduce((sum, task) => sum + promptTokensOf(task), 0)
  if (windowTokens === undefined) return { windows: 1, promptTokens }
  let windows = 0
  for (const task of tasks) windows += countWindows(task, windowTokens)
  return { windows, promptTokens }
}

function countWindows(task: SummaryTask, windowTokens: number): number {
  const fit = fitWindow(task, windowTokens)
  return fit.kind === 'chunks' ? fit.chunks.length : 1
}
