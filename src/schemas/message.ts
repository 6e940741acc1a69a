import { Type, type Static } from '@sinclair/typebox'
import { Nullish, OpenObject, StringOtherThan } from './typebox.ts'

const KNOWN_ROLES = [
  'user',
  'assistant',
  'toolResult',
  'tool',
  'bashExecution',
  'custom',
  'hookMessage',
  'branchSummary',
  'compactionSummary',
] as const

export const UsageSchema = OpenObject(
  {
    input: Nullish(Type.Number()),
    output: Nullish(Type.Number()),
    cacheRead: Nullish(Type.Number()),
    cacheWrite: Nullish(Type.Number()),
    totalTokens: Nullish(Type.Number()),
  },
  { title: 'Usage', description: 'Token counts as the provider reported them.' },
)

const KNOWN_BLOCKS = ['text', 'thinking', 'toolCall'] as const
/** Image types are not in `KNOWN_BLOCKS`, since nothing of an image but its type is checked. */
type OtherBlockType = 'image' | 'image_url' | 'input_image' | '(any other)'

export const OtherBlockSchema = OpenObject(
  { type: Type.Unsafe<OtherBlockType>(StringOtherThan(KNOWN_BLOCKS)) },
  { description: 'An image (`image`, `image_url`) or a block that this version does not know.' },
)
export const ToolCallBlockSchema = OpenObject({
  type: Type.Literal('toolCall'),
  id: Type.String(),
  name: Type.String(),
  arguments: Type.Optional(Type.Unknown({ description: "The call's arguments, an object as a rule." })),
})
export const ThinkingBlockSchema = OpenObject({ type: Type.Literal('thinking'), thinking: Type.String() })

export const TextBlockSchema = OpenObject({ type: Type.Literal('text'), text: Type.String() })

export const ContentBlockSchema = Type.Union(
  [TextBlockSchema, ThinkingBlockSchema, ToolCallBlockSchema, OtherBlockSchema],
  { title: 'ContentBlock' },
)

export const ContentSchema = Type.Union([Type.String(), Type.Array(ContentBlockSchema)])

export const UserMessageSchema = OpenObject({ role: Type.Literal('user'), content: ContentSchema })

/** An OpenAI chat message's tool call. */
export const ChatToolCallSchema = OpenObject({
  id: Type.String(),
  type: Type.Optional(Type.String()),
  function: Type.Optional(OpenObject({ name: Type.String(), arguments: Nullish(Type.String()) })),
})

export const AssistantMessageSchema = OpenObject({
  role: Type.Literal('assistant'),
  content: Nullish(ContentSchema),
  tool_calls: Nullish(Type.Array(ChatToolCallSchema)),
  stopReason: Nullish(Type.String({ description: '`stop`, `toolUse`, `length`, `error` or `aborted`' })),
  errorMessage: Nullish(Type.String()),
  provider: Nullish(Type.String()),
  model: Nullish(Type.String()),
  usage: Nullish(UsageSchema),
})

export const ToolResultMessageSchema = OpenObject({
  role: Type.Literal('toolResult'),
  toolCallId: Type.String(),
  toolName: Nullish(Type.String()),
  content: ContentSchema,
  isError: Nullish(Type.Boolean()),
})

export const ChatToolMessageSchema = OpenObject(
  { role: Type.Literal('tool'), tool_call_id: Type.String(), content: ContentSchema },
  { description: "An OpenAI chat message's tool result." },
)

export const BashExecutionMessageSchema = OpenObject({
  role: Type.Literal('bashExecution'),
  command: Type.String(),
  output: Nullish(Type.String()),
  exitCode: Nullish(Type.Number()),
  cancelled: Nullish(Type.Boolean()),
  excludeFromContext: Nullish(Type.Boolean()),
})

export const CustomMessageSchema = OpenObject({
  role: Type.Union([Type.Literal('custom'), Type.Literal('hookMessage')]),
  content: ContentSchema,
})

export const SummaryMessageSchema = OpenObject({
  role: Type.Union([Type.Literal('branchSummary'), Type.Literal('compactionSummary')]),
  summary: Type.String(),
})

export const OtherMessageSchema = OpenObject(
  { role: StringOtherThan(KNOWN_ROLES), content: Type.Optional(Type.Unknown()) },
  { description: '`system` and `developer` messages, which are never summarized, and roles that are not known.' },
)

export const MessageSchema = Type.Union(
  [
    UserMessageSchema,
    AssistantMessageSchema,
    ToolResultMessageSchema,
    ChatToolMessageSchema,
    BashExecutionMessageSchema,
    CustomMessageSchema,
    SummaryMessageSchema,
    OtherMessageSchema,
  ],
  { title: 'Message' },
)

export type RawMessage = Static<typeof MessageSchema>
export type RawAssistantMessage = Static<typeof AssistantMessageSchema>
export type RawToolResultMessage = Static<typeof ToolResultMessageSchema>
export type RawChatToolMessage = Static<typeof ChatToolMessageSchema>
export type RawBashExecutionMessage = Static<typeof BashExecutionMessageSchema>
export type RawUsage = Static<typeof UsageSchema>
export type RawToolCallBlock = Static<typeof ToolCallBlockSchema>
export type RawContentBlock = Static<typeof ContentBlockSchema>
export type RawContent = Static<typeof ContentSchema>
