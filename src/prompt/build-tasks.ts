import type { PairedMessages, ToolRuns } from '../extract/runs.ts'
import { sliceWork, type SessionWork } from '../extract/work-item.ts'
import { HISTORY_SHARE, limitTokens, TURN_PREFIX_SHARE, type CompactionSettings } from '../plan/settings.ts'
import type { Message } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import {
  buildBranchPrompt,
  buildHandoffPrompt,
  buildHistoryPrompt,
  buildTurnPrefixPrompt,
  targetTokens,
  withConversation,
  type BuiltPrompt,
  type HistoryGuidance,
} from './build-prompts.ts'
import { roomForTranscript } from './chunk-prompt.ts'
import { writeBlocks } from './serialize-conversation.ts'
import {
  createTask,
  type Chunking,
  type Segments,
  type SummaryKind,
  type SummarySource,
  type SummaryTask,
} from './task.ts'
import { withForm, type Templates } from './templates.ts'
import { blocksOf } from './transcript-blocks.ts'
import { shareBudget, spanOf, transcriptBudget, usualBudget, type TranscriptLimits } from './transcript-budget.ts'
import type { Block } from './transcript-piece.ts'
import { workStatesOf } from './work-states.ts'

/** One text to write, without its prompt: what the embedded summarizer and the checks need. */
export interface Assignment {
  kind: SummaryKind
  /** The output limit in tokens, at least 1. */
  maxTokens: number
  source: SummarySource
  /** The focus of the text, for the embedded summarizer: models read it in their prompts. */
  focus?: string | undefined
}

/** Returns the source of messages, for the embedded summarizer. */
export const sourceOf = (paired: PairedMessages, previousSummary?: string, work?: SessionWork): SummarySource =>
  defined({ form: 'messages' as const, messages: paired.messages, runs: paired.runs, previousSummary, work })

/** The text to be summarized: as messages, and as the transcript for models if it is not written from the messages. */
export interface SegmentText {
  messages: readonly Message[]
  conversation?: string
  /** Where the transcript may be split; default: `message`. */
  unit?: Chunking['unit']
}

interface AssignmentOptions {
  /** The kind of the history's text, unless a style is asked for. */
  kind: SummaryKind
  guidance: HistoryGuidance
  /** Those of the messages. */
  runs: ToolRuns
  work: SessionWork
  settings: CompactionSettings
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
}

/** A continuation prompt must be short enough to be read at once; prompts/continuation.md names the same limit. */
const MAX_CONTINUATION_TOKENS = 1500

/** Returns what is to be written for each segment of a plan. */
export function assignSegments(
  { history, turnPrefix }: Segments<SegmentText>,
  { kind, guidance, runs, work, settings, maxSummaryTokens }: AssignmentOptions,
): Segments<Assignment> {
  const { previousSummary, style } = guidance
  // The route for branches has its instructions in place of ours.
  const focus = kind === 'branch' ? guidance.promptOverride : guidance.customInstructions
  const limit = (share: number): number => limitTokens(share, settings, maxSummaryTokens)
  const cap = style === 'continuation' ? MAX_CONTINUATION_TOKENS : Infinity
  const segments: Segments<Assignment> = {}
  const turnStart = history?.messages.length ?? 0
  if (history !== undefined)
    segments.history = {
      kind: style ?? kind,
      maxTokens: Math.min(limit(HISTORY_SHARE), cap),
      source: sourceOf({ messages: history.messages, runs }, previousSummary, sliceWork(work, 0, turnStart)),
      focus,
    }
  if (turnPrefix !== undefined)
    segments.turnPrefix = {
      kind: 'turn-prefix',
      maxTokens: limit(TURN_PREFIX_SHARE),
      source: sourceOf({ messages: turnPrefix.messages, runs }, undefined, sliceWork(work, turnStart, Infinity)),
      focus,
    }
  return segments
}

interface TaskOptions {
  texts: Segments<SegmentText>
  guidance: HistoryGuidance
  templates: Templates
  limits: TranscriptLimits
  /** False if the reply has no place for a short summary of the history. */
  withShortSummary?: boolean | undefined
}

/** Returns the task of each assignment, with its prompt. */
export function buildTasks(
  { history, turnPrefix }: Segments<Assignment>,
  { texts, guidance, templates, limits, withShortSummary }: TaskOptions,
): Segments<SummaryTask> {
  const blocks = { history: blocksFor(history, texts.history), turnPrefix: blocksFor(turnPrefix, texts.turnPrefix) }
  const { partTokens = transcriptBudget(spanOf(history) + spanOf(turnPrefix)), windowLimitTokens } = limits
  const budgets = shareBudget(blocks, limits.transcriptTokens ?? usualBudget(blocks, partTokens))
  const tasks: Segments<SummaryTask> = {}
  if (history !== undefined)
    tasks.history = buildTask(history, {
      limits: { transcriptTokens: budgets.history, windowLimitTokens },
      text: { blocks: blocks.history, ...texts.history },
      build: promptOf(history, { guidance, templates, withShortSummary, limits }),
    })
  if (turnPrefix !== undefined) {
    const turnOptions = {
      templates,
      withShortSummary: history === undefined,
      tokens: targetOf(turnPrefix, windowLimitTokens),
      workStates: workStatesOf(turnPrefix.source),
    }
    tasks.turnPrefix = buildTask(turnPrefix, {
      limits: { transcriptTokens: budgets.turnPrefix, windowLimitTokens },
      text: { blocks: blocks.turnPrefix, ...texts.turnPrefix },
      build: (transcript) => buildTurnPrefixPrompt({ ...transcript, ...turnOptions }),
    })
  }
  return withForm(tasks, templates, guidance)
}

/** Returns how the prompt of a text is written around its transcript. A handoff has a form of its own, whatever is asked for. */
const promptOf =
  (history: Assignment, { guidance, limits, ...options }: Omit<TaskOptions, 'texts'>) =>
  (transcript: { conversation: string; unit: Chunking['unit'] }): BuiltPrompt => {
    const tokens = targetOf(history, limits.windowLimitTokens)
    const parts = { ...guidance, ...transcript, ...options, tokens, workStates: workStatesOf(history.source) }
    if (history.kind === 'branch') return buildBranchPrompt({ ...parts, customInstructions: guidance.promptOverride })
    return history.kind === 'handoff' ? buildHandoffPrompt(parts) : buildHistoryPrompt(parts)
  }

/** Returns the blocks of a text; none for a transcript that the client has written, which is used as it is. */
const blocksFor = (assignment: Assignment | undefined, text: SegmentText | undefined): Block[] =>
  assignment?.source.form === 'messages' && text?.conversation === undefined ? blocksOf(assignment.source) : []

/** Returns the length that the prompt of an assignment asks for, in tokens. */
function targetOf(assignment: Assignment, windowTokens: number | undefined): number {
  const { source, maxTokens } = assignment
  if (source.form !== 'messages') throw new Error('A client has written this prompt.')
  const previousTokens = estimateTextTokens(source.previousSummary ?? '')
  return targetTokens({ spanTokens: spanOf(assignment), previousTokens, limitTokens: maxTokens, windowTokens })
}

interface TaskText {
  /** The text to be summarized: blocks, or a transcript that the client has written. */
  text: { blocks: readonly Block[]; conversation?: string; unit?: Chunking['unit'] }
  limits: { transcriptTokens: number; windowLimitTokens: number | undefined }
  build: (transcript: { conversation: string; unit: Chunking['unit'] }) => BuiltPrompt
}

/** Returns the task of an assignment. Its transcript fits the budget; one that is larger than the window is read in parts. */
function buildTask(assignment: Assignment, { text, limits, build }: TaskText): SummaryTask {
  const { blocks, conversation, unit = 'message' } = text
  if (conversation !== undefined) return createTask({ ...assignment, ...build({ conversation, unit }) })
  const { transcriptTokens, windowLimitTokens } = limits
  const empty = build({ conversation: '', unit })
  const room = roomForTranscript(createTask({ ...assignment, ...empty }), windowLimitTokens)
  const transcript = writeBlocks(blocks, Math.min(transcriptTokens, room))
  return createTask({ ...assignment, ...withConversation(empty, transcript) })
}
