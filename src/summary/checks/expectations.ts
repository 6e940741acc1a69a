import type { Assignment } from '../../prompt/build-tasks.ts'
import type { AskedSections } from '../sections.ts'
import { estimateMessageTokens, estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { textOf, type Message, textsOf } from '../../session/message.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import { REQUIRED_SECTIONS } from '../../prompt/templates.ts'

/** The expectations for a summary. A field that is left out is not checked. */
export interface Expectations {
  sections?: AskedSections
  /** All texts that the summary may take facts from, in the order of the conversation. */
  sources?: readonly string[]
  /** The user's texts, oldest first: they show the language. */
  userTexts?: readonly string[]
  /** Data whose instructions must not be followed: outputs of tools, and fetched content. */
  untrustedTexts?: readonly string[]
  /** The size of the replaced content, and the limit of the summary, in tokens. */
  size?: { replacedTokens: number; limitTokens: number }
}

/** Returns the expectations for one summary. A caller's own prompt sets its own form and language. */
export function expectationsOf({ kind, maxTokens, source }: Assignment, guidance: HistoryGuidance): Expectations {
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

/** Languages that a focus may ask for. */
const NAMES_LANGUAGE =
  /\b(?:language|english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|turkish|arabic|auf deutsch|en français|en español)\b|英文|英语|中文|日本語|한국어/i

interface SegmentFacts {
  messages: readonly Message[]
  /** The required headings; empty where the caller set its own form. */
  headings: readonly string[]
  /** Output limit of the summary, in tokens. */
  limitTokens: number
  previousSummary?: string | undefined
  /** Other texts that the summary may take facts from: context, focus, paths. */
  furtherTexts?: readonly string[]
  /** False where the caller asked, or may have asked, for a language. */
  checksLanguage?: boolean
}

/** Returns the expectations for the summary of some messages. */
function expectationsOfSegment(facts: SegmentFacts): Expectations {
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
