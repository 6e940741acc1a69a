import type { SummaryTask, Segments } from '../../prompt/task.ts'
import type { AskedSections } from '../sections.ts'
import { estimateMessageTokens, estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { textOf, type Message, textsOf } from '../../session/message.ts'
import type { Cooperative } from '../../runtime/cooperative.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import { REQUIRED_SECTIONS } from '../../prompt/templates.ts'

/** A text to be written, and what is expected of it. */
export interface CheckedTask {
  task: SummaryTask
  expected: Expectations
}

/** What is expected of a summary. A field that is left out is not checked. */
export interface Expectations {
  sections?: AskedSections
  /** All that the summary may take facts from, in the order in which it was said. */
  sources?: readonly string[]
  /** What the user said, oldest first: it shows the language. */
  userTexts?: readonly string[]
  /** Data in which nobody may give orders: outputs of tools, and what was fetched. */
  untrustedTexts?: readonly string[]
  /** What it replaces, and what it was allowed, in tokens. */
  size?: { replacedTokens: number; limitTokens: number }
}

/** What is expected of the summaries that tasks ask for. */
export function* expectationsOfTasks(
  { history, turnPrefix }: Segments<SummaryTask>,
  guidance: HistoryGuidance,
): Cooperative<Segments<CheckedTask>> {
  const segments: Segments<CheckedTask> = {}
  if (history !== undefined)
    segments.history = { task: history, expected: yield* expectationsOfTask(history, guidance) }
  if (turnPrefix !== undefined)
    segments.turnPrefix = { task: turnPrefix, expected: yield* expectationsOfTask(turnPrefix, {}) }
  return segments
}

/** What is expected of one summary; a caller's own prompt sets its own form and language. */
export function expectationsOfTask(
  { kind, maxTokens, source }: SummaryTask,
  guidance: HistoryGuidance,
): Cooperative<Expectations> {
  const { previousSummary, context = [], promptOverride = '', customInstructions = '' } = guidance
  const isOverridden = promptOverride.trim() !== ''
  return expectationsOfSegment({
    messages: source.form === 'messages' ? source.messages : [],
    headings: isOverridden ? [] : REQUIRED_SECTIONS[kind],
    limitTokens: maxTokens,
    previousSummary,
    furtherTexts: [...context, promptOverride, customInstructions],
    checksLanguage: !isOverridden && !NAMES_LANGUAGE.test(customInstructions),
  })
}

/** A focus may ask for a language of its own. */
const NAMES_LANGUAGE =
  /\b(?:language|english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|turkish|arabic|auf deutsch|en français|en español)\b|英文|英语|中文|日本語|한국어/i

interface SegmentFacts {
  messages: readonly Message[]
  /** The headings that were asked for; none where the caller set its own form. */
  headings: readonly string[]
  /** Output limit of the summary, in tokens. */
  limitTokens: number
  previousSummary?: string | undefined
  /** What else the summary may take facts from: context, focus, paths. */
  furtherTexts?: readonly string[]
  /** False where the caller asked for a language, or may have. */
  checksLanguage?: boolean
}

/** Returns what is expected of the summary of some messages. One message a step. */
function* expectationsOfSegment(facts: SegmentFacts): Cooperative<Expectations> {
  const { messages, headings, limitTokens, previousSummary = '', furtherTexts = [], checksLanguage = true } = facts
  const sources = [previousSummary, ...furtherTexts]
  const untrustedTexts: string[] = []
  const userTexts: string[] = []
  let replacedTokens = estimateTextTokens(previousSummary)
  for (const message of messages) {
    replacedTokens += estimateMessageTokens(message)
    for (const text of textsOf(message)) sources.push(text)
    untrustedTexts.push(...foreignTextsOf(message))
    userTexts.push(...userTextsOf(message))
    yield
  }
  return {
    sections: { headings: [...headings], areOptional: false },
    sources,
    untrustedTexts,
    size: { replacedTokens, limitTokens },
    ...(checksLanguage ? { userTexts } : {}),
  }
}

const userTextsOf = (message: Message): string[] => (message.role === 'user' ? [textOf(message.content)] : [])

function foreignTextsOf(message: Message): string[] {
  if (message.role === 'toolResult') return [textOf(message.content)]
  return message.role === 'bashExecution' ? [message.output] : []
}
