import type { Chunking, PromptText } from './task.ts'
import { buildChunkablePrompt, type Remark } from './chunk-prompt.ts'
import { fillTemplate, type Templates } from './templates.ts'
import { framePrompt, escapePairs, escapeTranscript, type PromptFrame } from './frame-prompt.ts'

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
}

/** What a request may add to the history's prompt. A blank text counts as missing. */
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
  ...data
}: SegmentPrompt & HistoryGuidance): BuiltPrompt {
  // The summary of a chunk is not merged with the previous summary: that happens once, at the end.
  const sections = ({ isChunk }: Remark) =>
    isChunk || isBlank(data.previousSummary) ? templates.summary : templates.update
  const task = (remark: Remark) => (style === 'continuation' ? templates.continuation : sections(remark))
  return build({ templates, conversation, unit }, (remark) => {
    const instructions = [
      isBlank(promptOverride) ? task(remark) : promptOverride.trim(),
      focusOn(customInstructions, templates),
      remark.text,
      remark.isChunk ? '' : templates.short,
    ]
    return framePrompt({ ...data, instructions })
  })
}

/** Returns the prompt for a handoff. It takes no override, since its form is what makes it a handoff. */
export function buildHandoffPrompt({
  templates,
  customInstructions = '',
  conversation,
  unit,
  ...data
}: SegmentPrompt & Omit<HistoryGuidance, 'promptOverride' | 'style'>): BuiltPrompt {
  const instructions = [templates.handoff, focusOn(customInstructions, templates)]
  return build({ templates, conversation, unit }, (remark) =>
    framePrompt({ ...data, instructions: [...instructions, remark.text] }),
  )
}

/**
 * Returns the prompt for a branch that was left; custom instructions replace ours (docs/contract.md, "Other routes").
 */
export function buildBranchPrompt({
  templates,
  conversation,
  customInstructions = '',
}: SegmentPrompt & Pick<HistoryGuidance, 'customInstructions'>): BuiltPrompt {
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
  withShortSummary = false,
}: SegmentPrompt & { withShortSummary?: boolean }): BuiltPrompt {
  return build({ templates, conversation, unit }, (remark) => {
    const short = withShortSummary && !remark.isChunk ? templates.short : ''
    return framePrompt({ instructions: [templates['turn-prefix'], remark.text, short] })
  })
}

const build = (
  { templates, conversation, unit = 'message' }: SegmentPrompt,
  frame: (remark: Remark) => PromptFrame,
): BuiltPrompt => ({
  systemPrompt: templates.system,
  ...buildChunkablePrompt({ conversation: escapeTranscript(conversation), unit, frame }, templates),
})

const isBlank = (text = ''): boolean => text.trim() === ''

const focusOn = (customInstructions: string, { focus }: Templates): string =>
  isBlank(customInstructions) ? '' : fillTemplate(focus, { focus: customInstructions.trim() })

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
