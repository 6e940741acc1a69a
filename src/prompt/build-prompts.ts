import type { Chunking } from './task.ts'
import { buildChunkablePrompt, type Remark } from './chunk-prompt.ts'
import { fillTemplate, type Templates } from './templates.ts'
import { framePrompt, escapePairs } from './frame-prompt.ts'

/** All that a model is told for one summary, whole or in chunks. */
export interface BuiltPrompt {
  systemPrompt: string
  prompt: string
  chunking: Chunking
}

interface SpanPrompt {
  templates: Templates
  /** A serialized transcript: `serializeConversation`'s, or the one that came in the conversation form. */
  conversation: string
  /** Where it may be cut: ours between messages, a caller's at blank lines. */
  unit?: Chunking['unit'] | undefined
}

/** What a request may add to the history's prompt; what is blank counts as left out. */
export interface HistoryGuidance {
  /** Without the file tags (planning rule 3). */
  previousSummary?: string | undefined
  /** Lines for the additional context. */
  context?: readonly string[] | undefined
  /** Takes the place of the summary's instructions. */
  promptOverride?: string | undefined
  /** Focus, added to the instructions. */
  customInstructions?: string | undefined
  /** A continuation prompt in place of the sections. */
  style?: 'continuation' | undefined
}

const build = (
  { templates, conversation, unit = 'message' }: SpanPrompt,
  write: (conversation: string, remark: Remark) => string,
): BuiltPrompt => ({
  systemPrompt: templates.system,
  ...buildChunkablePrompt({ conversation, unit, write }, templates),
})

const isBlank = (text = ''): boolean => text.trim() === ''

const focusOn = (customInstructions: string, { focus }: Templates): string =>
  isBlank(customInstructions) ? '' : fillTemplate(focus, { focus: customInstructions.trim() })

/** The prompt for the history's summary, or for its update where there is a previous one. */
export function buildHistoryPrompt({
  templates,
  promptOverride = '',
  customInstructions = '',
  style,
  conversation,
  unit,
  ...data
}: SpanPrompt & HistoryGuidance): BuiltPrompt {
  // A part is not merged with the previous summary: that is done once, at the end.
  const sections = ({ isChunk }: Remark) =>
    isChunk || isBlank(data.previousSummary) ? templates.summary : templates.update
  const task = (remark: Remark) => (style === 'continuation' ? templates.continuation : sections(remark))
  return build({ templates, conversation, unit }, (text, remark) => {
    const instructions = [
      isBlank(promptOverride) ? task(remark) : promptOverride.trim(),
      focusOn(customInstructions, templates),
      remark.text,
      remark.isChunk ? '' : templates.short,
    ]
    return framePrompt({ ...data, conversation: text, instructions })
  })
}

/** The prompt for a handoff, which takes no override: its form is what makes it one. */
export function buildHandoffPrompt({
  templates,
  customInstructions = '',
  conversation,
  unit,
  ...data
}: SpanPrompt & Omit<HistoryGuidance, 'promptOverride' | 'style'>): BuiltPrompt {
  const instructions = [templates.handoff, focusOn(customInstructions, templates)]
  return build({ templates, conversation, unit }, (text, remark) =>
    framePrompt({ ...data, conversation: text, instructions: [...instructions, remark.text] }),
  )
}

/** The prompt for a branch that was left; custom instructions replace ours (docs/contract.md, "Other routes"). */
export function buildBranchPrompt({
  templates,
  conversation,
  customInstructions = '',
}: SpanPrompt & Pick<HistoryGuidance, 'customInstructions'>): BuiltPrompt {
  const task = customInstructions.trim() || templates.branch
  return build({ templates, conversation }, (text, remark) =>
    framePrompt({ conversation: text, instructions: [task, remark.text] }),
  )
}

/**
 * The prompt for the beginning of a split turn: it gets neither focus, override nor context (docs/contract.md, "Entries form").
 * `withShortSummary` is for the one that has no history's prompt beside it that asks for the short summary.
 */
export function buildTurnPrefixPrompt({
  templates,
  conversation,
  unit,
  withShortSummary = false,
}: SpanPrompt & { withShortSummary?: boolean }): BuiltPrompt {
  return build({ templates, conversation, unit }, (text, remark) => {
    const short = withShortSummary && !remark.isChunk ? templates.short : ''
    return framePrompt({ conversation: text, instructions: [templates['turn-prefix'], remark.text, short] })
  })
}

interface Repair {
  /** The prompt that was answered. It comes first and unchanged, so that servers which cache prefixes charge less. */
  prompt: string
  /** What came back. */
  draft: string
  /** What is wrong with it, a sentence each. */
  faults: readonly string[]
  templates: Templates
}

/** Writes the prompt that has a draft mended: what was asked, what came, and every fault that was found. */
export function buildRepair({ prompt, draft, faults, templates }: Repair): string {
  const instructions = fillTemplate(templates.repair, { faults: faults.map((fault) => `- ${fault}`).join('\n') })
  return `${prompt}\n\n${instructions}\n\n<first-draft>\n${escapePairs(draft)}\n</first-draft>`
}
