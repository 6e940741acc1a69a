import { estimateMessageTokens, estimateTextTokens } from '../../plan/estimate-tokens.ts'
import { textOf, type Message } from '../../session/message.ts'
import { textsOf } from '../../session/texts-of.ts'
import type { Steps } from '../../steps.ts'
import type { Expectations } from './expectations.ts'

interface SpanFacts {
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

/** What is expected of a span's summary, a message a step. */
export function* expectOfSpan(facts: SpanFacts): Steps<Expectations> {
  const { messages, headings, limitTokens, previousSummary = '', furtherTexts = [], checksLanguage = true } = facts
  const sources = [previousSummary, ...furtherTexts]
  const foreignTexts: string[] = []
  const userTexts: string[] = []
  let replacedTokens = estimateTextTokens(previousSummary)
  for (const message of messages) {
    replacedTokens += estimateMessageTokens(message)
    for (const text of textsOf(message)) sources.push(text)
    foreignTexts.push(...foreignTextsOf(message))
    userTexts.push(...userTextsOf(message))
    yield
  }
  return {
    sections: { headings: [...headings], areOptional: false },
    sources,
    foreignTexts,
    size: { replacedTokens, limitTokens },
    ...(checksLanguage ? { userTexts } : {}),
  }
}

const userTextsOf = (message: Message): string[] => (message.role === 'user' ? [textOf(message.content)] : [])

function foreignTextsOf(message: Message): string[] {
  if (message.role === 'toolResult') return [textOf(message.content)]
  return message.role === 'bashExecution' ? [message.output] : []
}
