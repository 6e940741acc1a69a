/** The labels that open the blocks of a serialized transcript (docs/contract.md, "Conversation form"), without the space after. */
export const LABELS = {
  user: '[User]:',
  thinking: '[Assistant thinking]:',
  assistant: '[Assistant]:',
  toolCalls: '[Assistant tool calls]:',
  toolResult: '[Tool result]:',
} as const

export type BlockKind = keyof typeof LABELS
