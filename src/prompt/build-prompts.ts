import { fillTemplate } from './fill-template.ts'
import { framePrompt } from './frame-prompt.ts'
import type { Templates } from './load-templates.ts'

/** All that a model is told for one summary. */
export interface BuiltPrompt {
  systemPrompt: string
  prompt: string
}

interface SpanPrompt {
  templates: Templates
  /** A serialized transcript: `serializeConversation`'s, or the one that came in the conversation form. */
  conversation: string
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

/** The prompt for the history's summary, or for its update where there is a previous one. */
export function buildHistoryPrompt({
  templates,
  promptOverride = '',
  customInstructions = '',
  style,
  ...data
}: SpanPrompt & HistoryGuidance): BuiltPrompt {
  const sections = isBlank(data.previousSummary) ? templates.summary : templates.update
  const task = style === 'continuation' ? templates.continuation : sections
  const instructions = [
    isBlank(promptOverride) ? task : promptOverride.trim(),
    focusOn(customInstructions, templates),
    templates.short,
  ]
  return { systemPrompt: templates.system, prompt: framePrompt({ ...data, instructions }) }
}

/** The prompt for a handoff, which takes no override: its form is what makes it one. */
export function buildHandoffPrompt({
  templates,
  customInstructions = '',
  ...data
}: SpanPrompt & Omit<HistoryGuidance, 'promptOverride' | 'style'>): BuiltPrompt {
  const instructions = [templates.handoff, focusOn(customInstructions, templates)]
  return { systemPrompt: templates.system, prompt: framePrompt({ ...data, instructions }) }
}

/**
 * The prompt for the beginning of a split turn: it gets neither focus, override nor context (docs/contract.md, "Entries form").
 * `withShortSummary` is for the one that has no history's prompt beside it that asks for the short summary.
 */
export function buildTurnPrefixPrompt({
  templates,
  conversation,
  withShortSummary = false,
}: SpanPrompt & { withShortSummary?: boolean }): BuiltPrompt {
  const instructions = [templates['turn-prefix'], withShortSummary ? templates.short : '']
  return { systemPrompt: templates.system, prompt: framePrompt({ conversation, instructions }) }
}

const focusOn = (customInstructions: string, { focus }: Templates): string =>
  isBlank(customInstructions) ? '' : fillTemplate(focus, { focus: customInstructions.trim() })

const isBlank = (text = ''): boolean => text.trim() === ''
