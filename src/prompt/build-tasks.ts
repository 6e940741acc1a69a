import { type CompactionSettings, HISTORY_SHARE, limitTokens, TURN_PREFIX_SHARE } from '../plan/settings.ts'
import type { Message } from '../session/message.ts'
import { buildHistoryPrompt, buildTurnPrefixPrompt, type HistoryGuidance } from './build-prompts.ts'
import { fitWindow } from './chunk-prompt.ts'
import { serializeConversation } from './serialize-conversation.ts'
import { splitHere } from './split-conversation.ts'
import {
  createTask,
  type Chunking,
  type Segments,
  type SummaryKind,
  type SummarySource,
  type SummaryTask,
} from './task.ts'
import type { Templates } from './templates.ts'

/** One text to write, without its prompt: what the embedded summarizer and the checks need. */
export interface Assignment {
  kind: SummaryKind
  /** The output limit in tokens, at least 1. */
  maxTokens: number
  source: SummarySource
}

/** Returns the source of messages, for the embedded summarizer. */
export const sourceOf = (messages: readonly Message[], previousSummary?: string): SummarySource => ({
  form: 'messages',
  messages,
  ...(previousSummary === undefined ? {} : { previousSummary }),
})

/** The text to be summarized: as messages, and as the transcript for models if it is not written from the messages. */
export interface SegmentText {
  messages: readonly Message[]
  conversation?: string
  /** Where the transcript may be split; default: `message`. */
  unit?: Chunking['unit']
}

interface AssignmentOptions {
  guidance: HistoryGuidance
  settings: CompactionSettings
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
}

/** A continuation prompt must be short enough to be read at once; prompts/continuation.md names the same limit. */
const MAX_CONTINUATION_TOKENS = 1500

/** Returns what is to be written for each segment of a plan. */
export function assignSegments(
  { history, turnPrefix }: Segments<SegmentText>,
  { guidance: { previousSummary, style }, settings, maxSummaryTokens }: AssignmentOptions,
): Segments<Assignment> {
  const limit = (share: number): number => limitTokens(share, settings, maxSummaryTokens)
  const cap = style === 'continuation' ? MAX_CONTINUATION_TOKENS : Infinity
  const segments: Segments<Assignment> = {}
  if (history !== undefined)
    segments.history = {
      kind: style ?? 'history',
      maxTokens: Math.min(limit(HISTORY_SHARE), cap),
      source: sourceOf(history.messages, previousSummary),
    }
  if (turnPrefix !== undefined)
    segments.turnPrefix = {
      kind: 'turn-prefix',
      maxTokens: limit(TURN_PREFIX_SHARE),
      source: sourceOf(turnPrefix.messages),
    }
  return segments
}

interface TaskOptions {
  texts: Segments<SegmentText>
  guidance: HistoryGuidance
  templates: Templates
}

/** Returns the task of each assignment, with its prompt. */
export function buildTasks(
  { history, turnPrefix }: Segments<Assignment>,
  { texts, guidance, templates }: TaskOptions,
): Segments<SummaryTask> {
  const tasks: Segments<SummaryTask> = {}
  if (history !== undefined) {
    const built = buildHistoryPrompt({ ...guidance, ...transcriptOf(texts.history), templates })
    tasks.history = createTask({ ...history, ...built })
  }
  if (turnPrefix !== undefined) {
    const withShortSummary = history === undefined
    const built = buildTurnPrefixPrompt({ ...transcriptOf(texts.turnPrefix), templates, withShortSummary })
    tasks.turnPrefix = createTask({ ...turnPrefix, ...built })
  }
  return tasks
}

const transcriptOf = ({ messages, conversation, unit = 'message' }: SegmentText = { messages: [] }) => ({
  conversation: conversation ?? serializeConversation(messages),
  unit,
})

/**
 * Measures what will be sent to a summarizer.
 * @param windowTokens its context window; undefined when it has no limit (the embedded summarizer)
 * @returns `windows`: the number of chunks, without merges; `promptTokens`: the tokens of the prompts before splitting
 */
export function measureTasks(
  tasks: readonly SummaryTask[],
  windowTokens: number | undefined,
): { windows: number; promptTokens: number } {
  const sum = (count: (task: SummaryTask) => number): number => tasks.reduce((total, task) => total + count(task), 0)
  return {
    windows: windowTokens === undefined ? 1 : sum((task) => countWindows(task, windowTokens)),
    promptTokens: sum(({ promptTokens }) => promptTokens),
  }
}

function countWindows(task: SummaryTask, windowTokens: number): number {
  const fit = fitWindow(task, windowTokens)
  if (fit.kind !== 'split' || task.chunking === undefined) return 1
  const { start, end, unit } = task.chunking
  return splitHere(task.prompt.subarray(start, end), { capacityTokens: fit.capacityTokens, unit }).length
}
