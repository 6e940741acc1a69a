import { buildChunkablePrompt, type Remark } from './chunk-prompt.ts'
import { framePrompt, escapePairs, escapeTranscript, type PromptFrame } from './frame-prompt.ts'
import type { Chunking, PromptText } from './task.ts'
import { fillTemplate, type Templates } from './templates.ts'

/** The prompt of one summary, whole or in chunks. */
export interface BuiltPrompt extends PromptText {
  systemPrompt: string
}

interface SegmentPrompt {
  templates: Templates
  /** A serialized transcript: from `serializeConversation`, or from a request in the conversation form. */
  conversation: string
  /** Where it may be cut: our transcripts between messages, those of a request at blank lines. */
  unit?: Chunking['unit'] | undefined
  /** The length that the prompt asks for, in tokens (`targetTokens`). */
  tokens: number
  /** The states of the work that code knows (`writeWorkStates`); the prompts of chunks do not have them. */
  workStates?: string | undefined
}

/** The share of a span that its summary should have, and what any summary needs for its headings and the request. */
const TARGET_SHARE = 1 / 20
const LEAST_TARGET_TOKENS = 1000

/** The share of the output limit that a prompt asks for at most: models write more than they are asked for. */
const TARGET_LIMIT_SHARE = 0.6

/**
 * The room of a summary that follows another one: twice what its own span needs, or this share of the output limit. In a
 * chain of compactions, each would be longer than the one before otherwise.
 */
const UPDATE_ROOM = 2
const UPDATE_LIMIT_SHARE = 1 / 3

/** The same share of the window: an answer always gets a quarter of it (`fitWindow`), and a text of parts may be half as long. */
const TARGET_WINDOW_SHARE = 1 / 6

/**
 * Returns the length that a prompt asks for. With "as few words as carry it", summaries of 150,000 tokens were 2,400 tokens
 * long, and lost the state of the code; with room for some 6,000 tokens they were 4,400 long, and answered 10 % more
 * questions.
 * @param spanTokens the tokens of the messages to be summarized
 * @param previousTokens the tokens of the previous summary, whose facts are kept
 * @param windowTokens the window that the prompt must fit
 */
export function targetTokens({
  spanTokens,
  previousTokens = 0,
  limitTokens,
  windowTokens = Infinity,
}: {
  spanTokens: number
  previousTokens?: number
  limitTokens: number
  windowTokens?: number | undefined
}): number {
  const ofSpan = LEAST_TARGET_TOKENS + spanTokens * TARGET_SHARE
  const room = previousTokens > 0 ? Math.max(ofSpan * UPDATE_ROOM, limitTokens * UPDATE_LIMIT_SHARE) : Infinity
  const most = Math.min(room, limitTokens * TARGET_LIMIT_SHARE, windowTokens * TARGET_WINDOW_SHARE)
  return Math.max(1, roundToHundreds(Math.min(ofSpan + previousTokens, most)))
}

/** A model follows a round number as well, and equal spans have equal prompts. */
const roundToHundreds = (tokens: number): number => (tokens < 100 ? Math.round(tokens) : Math.round(tokens / 100) * 100)

/** The additions of a request to the history's prompt. A blank text counts as missing. */
export interface HistoryGuidance {
  /** Without the file tags (planning rule 3). */
  previousSummary?: string | undefined
  /** Lines for the additional context. */
  context?: readonly string[] | undefined
  /** Replaces the instructions for the summary. */
  promptOverride?: string | undefined
  /** A focus, added to the instructions. */
  customInstructions?: string | undefined
  /** `continuation` asks for a continuation prompt instead of the sections. */
  style?: 'continuation' | undefined
}

/** Returns the prompt for the history's summary, or for its update where there is a previous summary. */
export function buildHistoryPrompt({
  templates,
  promptOverride = '',
  customInstructions = '',
  style,
  conversation,
  unit,
  tokens,
  workStates,
  withShortSummary = true,
  ...data
}: SegmentPrompt & HistoryGuidance & { withShortSummary?: boolean | undefined }): BuiltPrompt {
  // The summary of a chunk is not merged with the previous summary: that happens once, at the end.
  const sections = ({ isChunk }: Remark) =>
    withLength(isChunk || isBlank(data.previousSummary) ? templates.summary : templates.update, tokens)
  const task = (remark: Remark) => (style === 'continuation' ? templates.continuation : sections(remark))
  return build({ templates, conversation, unit }, (remark) => {
    // They are not for a chunk, nor for the instructions of others.
    const states = isBlank(promptOverride) && style === undefined && !remark.isChunk ? workStates : ''
    const instructions = [
      isBlank(promptOverride) ? task(remark) : promptOverride.trim(),
      explainStates(states, templates),
      focusOn(customInstructions, templates),
      remark.text,
      remark.isChunk || !withShortSummary ? '' : templates.short,
    ]
    return framePrompt({ ...data, workStates: states, instructions })
  })
}

/** Returns the prompt for a handoff. It takes no override, since its form is what makes it a handoff. */
export function buildHandoffPrompt({
  templates,
  customInstructions = '',
  conversation,
  unit,
  tokens,
  workStates,
  ...data
}: SegmentPrompt & Omit<HistoryGuidance, 'promptOverride' | 'style'>): BuiltPrompt {
  const focus = focusOn(customInstructions, templates)
  return build({ templates, conversation, unit }, (remark) => {
    const states = remark.isChunk ? '' : workStates
    const instructions = [withLength(templates.handoff, tokens), explainStates(states, templates), focus, remark.text]
    return framePrompt({ ...data, workStates: states, instructions })
  })
}

/**
 * Returns the prompt for a branch that was left; custom instructions replace ours (openapi.yaml, `/branch-summary`).
 */
export function buildBranchPrompt({
  templates,
  conversation,
  customInstructions = '',
}: Omit<SegmentPrompt, 'tokens'> & Pick<HistoryGuidance, 'customInstructions'>): BuiltPrompt {
  const task = customInstructions.trim() || templates.branch
  return build({ templates, conversation }, (remark) => framePrompt({ instructions: [task, remark.text] }))
}

/**
 * Returns the prompt for the beginning of a split turn, without focus, override and context (docs/contract.md, "Entries
 * form"). With `withShortSummary` it asks for the short summary, which is otherwise part of the history's prompt.
 */
export function buildTurnPrefixPrompt({
  templates,
  conversation,
  unit,
  tokens,
  workStates,
  withShortSummary = false,
}: SegmentPrompt & { withShortSummary?: boolean }): BuiltPrompt {
  return build({ templates, conversation, unit }, (remark) => {
    const short = withShortSummary && !remark.isChunk ? templates.short : ''
    const states = remark.isChunk ? '' : workStates
    const task = withLength(templates['turn-prefix'], tokens)
    return framePrompt({
      workStates: states,
      instructions: [task, explainStates(states, templates), remark.text, short],
    })
  })
}

const build = (
  { templates, conversation, unit = 'message' }: Omit<SegmentPrompt, 'tokens'>,
  frame: (remark: Remark) => PromptFrame,
): BuiltPrompt => ({
  systemPrompt: templates.system,
  ...buildChunkablePrompt({ conversation: escapeTranscript(conversation), unit, frame }, templates),
})

/** Returns a prompt that was built without a transcript with this one. */
export function withConversation(built: BuiltPrompt, conversation: string): BuiltPrompt {
  const { prompt, split } = built
  if (split === undefined) return built
  const { start, end } = split.transcript
  const text = escapeTranscript(conversation)
  return {
    ...built,
    prompt: prompt.slice(0, start) + text + prompt.slice(end),
    split: { ...split, transcript: { start, end: start + text.length } },
  }
}

const withLength = (template: string, tokens: number): string => fillTemplate(template, { tokens: String(tokens) })

const isBlank = (text = ''): boolean => text.trim() === ''

const focusOn = (customInstructions: string, { focus }: Templates): string =>
  isBlank(customInstructions) ? '' : fillTemplate(focus, { focus: customInstructions.trim() })

/** Without states, a prompt says nothing of them. */
const explainStates = (workStates: string | undefined, templates: Templates): string =>
  isBlank(workStates) ? '' : templates['work-states']

interface Repair {
  /** The answer to be repaired. */
  draft: string
  /** Its faults, one sentence each. */
  faults: readonly string[]
  templates: Templates
}

/**
 * Returns the text that asks for the repair of a draft: the faults, and the draft. It follows the draft's own prompt, which
 * comes first and unchanged, so that servers which cache prefixes charge less.
 */
export function buildRepair({ draft, faults, templates }: Repair): string {
  const instructions = fillTemplate(templates.repair, { faults: faults.map((fault) => `- ${fault}`).join('\n') })
  return `\n\n${instructions}\n\n<first-draft>\n${escapePairs(draft)}\n</first-draft>`
}
