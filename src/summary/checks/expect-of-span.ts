import { estimateMessageTokens, estimateTextTokens } from '../../plan/estimate-tokens.ts'
import { textOf, type Message } from '../../session/message.ts'
import { textsOf } from '../../session/texts-of.ts'
import { mapInSteps, type Steps } from '../../steps.ts'
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
  const tokens = yield* mapInSteps(messages, estimateMessageTokens)
  const replacedTokens = tokens.reduce((sum, one) => sum + one, 0)
  const texts = yield* mapInSteps(messages, textsOf)
  return {
    sections: { headings: [...headings], areOptional: false },
    sources: [previousSummary, ...furtherTexts, ...texts.flat()],
    foreignTexts: messages.flatMap(foreignTextsOf),
    size: { replacedTokens: replacedTokens + estimateTextTokens(previousSummary), limitTokens },
    ...(checksLanguage ? { userTexts: messages.flatMap(userTextsOf) } : {}),
  }
}

const userTextsOf = (message: Message): string[] => (message.role === 'user' ? [textOf(message.content)] : [])

function foreignTextsOf(message: Message): string[] {
  if (message.role === 'toolResult') return [textOf(message.content)]
  return message.role === 'bashExecution' ? [message.output] : []
}
