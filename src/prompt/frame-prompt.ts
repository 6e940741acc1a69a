import { escapeLabels, escapePairs, escapeTags } from './escape-boundaries.ts'
import { replaceLoneSurrogates } from './replace-lone-surrogates.ts'

/** What stands in a prompt: the data, each part in its tags, and after it what the model is to do. */
export interface PromptParts {
  /** A serialized transcript; its role labels are taken as they are. */
  conversation: string
  previousSummary?: string | undefined
  /** Lines for the additional context: each becomes one bullet. */
  context?: readonly string[] | undefined
  /** Paragraphs that tell the model what to do, in order. */
  instructions: readonly string[]
}

/**
 * Lays a prompt out as oh-my-pi does (docs/clients.md): conversation, previous summary, additional context, instructions.
 * Parts that are blank are left out. Each pair of tags stands there once, whatever the texts hold.
 */
export function framePrompt({ conversation, previousSummary = '', context = [], instructions }: PromptParts): string {
  const bullets = context.filter(isFilled).map((line) => bullet(escapeData(line)))
  const others = [
    isFilled(previousSummary) ? inTags('previous-summary', escapeData(previousSummary.trim())) : '',
    bullets.length === 0 ? '' : inTags('additional-context', bullets.join('\n')),
    ...instructions.map(escapePairs),
  ]
  // A conversation may be large: it is looked at no more often than it has to be.
  const parts = [inTags('conversation', escapeTags(conversation)), ...others.filter(isFilled)]
  return replaceLoneSurrogates(parts.join('\n\n'))
}

const isFilled = (text: string): boolean => text.trim() !== ''

const inTags = (name: string, text: string): string => `<${name}>\n${text}\n</${name}>`

const escapeData = (text: string): string => escapeTags(escapeLabels(text))

/** Further lines are indented, so that a line that looks like a bullet or a heading does not become one. */
const bullet = (line: string): string => `- ${line.trim().replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')}`
