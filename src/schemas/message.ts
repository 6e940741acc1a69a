import { Type, type Static } from '@sinclair/typebox'
import { Anything, Nullish, oneOf, OpenObject, StringOtherThan, Text } from './typebox.ts'

/** The roles of messages that are read; all others are allowed. */
export const KNOWN_ROLES = [
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

const UsageSchema = OpenObject(
  {
    input: Nullish(Type.Number()),
    output: Nullish(Type.Number()),
    cacheRead: Nullish(Type.Number()),
    cacheWrite: Nullish(Type.Number()),
    totalTokens: Nullish(Type.Number()),
  },
  { title: 'Usage', description: 'The token counts that the model provider reported.' },
)

const KNOWN_BLOCKS = ['text', 'thinking', 'toolCall'] as const
/** Image types are not in `KNOWN_BLOCKS`, since nothing of an image but its type is checked. */
type OtherBlockType = 'image' | 'image_url' | 'input_image' | '(any other)'

const OtherBlockSchema = OpenObject(
  { type: Type.Unsafe<OtherBlockType>(StringOtherThan(KNOWN_BLOCKS)) },
  { description: 'An image (`image`, `image_url`, `input_image`) or a block of an unknown type.' },
)
const ToolCallBlockSchema = OpenObject({
  type: Type.Literal('toolCall'),
  id: Type.String(),
  name: Type.String(),
  arguments: Type.Optional(Anything('The arguments of the call, usually an object.')),
})
const ThinkingBlockSchema = OpenObject({ type: Type.Literal('thinking'), thinking: Type.String() })

const TextBlockSchema = OpenObject({ type: Type.Literal('text'), text: Type.String() })

const ContentBlockSchema = Type.Union([TextBlockSchema, ThinkingBlockSchema, ToolCallBlockSchema, OtherBlockSchema], {
  title: 'ContentBlock',
})

export const ContentSchema = Type.Union([Type.String(), Type.Array(ContentBlockSchema)])

export const UserMessageSchema = OpenObject({ role: Type.Literal('user'), content: ContentSchema })

/** A tool call in the format of the OpenAI chat API. */
const ChatToolCallSchema = OpenObject({
  id: Type.String(),
  type: Type.Optional(Type.String()),
  function: Type.Optional(OpenObject({ name: Type.String(), arguments: Nullish(Type.String()) })),
})

export const AssistantMessageSchema = OpenObject({
  role: Type.Literal('assistant'),
  content: Nullish(ContentSchema),
  tool_calls: Nullish(Type.Array(ChatToolCallSchema)),
  stopReason: Nullish(Text('`stop`, `toolUse`, `length`, `error` or `aborted`.')),
  errorMessage: Nullish(Type.String()),
  provider: Nullish(Type.String()),
  model: Nullish(Type.String()),
  usage: Nullish(UsageSchema),
})

const ToolResultMessageSchema = OpenObject({
  role: Type.Literal('toolResult'),
  toolCallId: Type.String(),
  toolName: Nullish(Type.String()),
  content: ContentSchema,
  isError: Nullish(Type.Boolean()),
})

export const ChatToolMessageSchema = OpenObject(
  { role: Type.Literal('tool'), tool_call_id: Type.String(), content: ContentSchema },
  { description: 'A tool result in the format of the OpenAI chat API.' },
)

const BashExecutionMessageSchema = OpenObject({
  role: Type.Literal('bashExecution'),
  command: Type.String(),
  output: Nullish(Type.String()),
  exitCode: Nullish(Type.Number()),
  cancelled: Nullish(Type.Boolean()),
  excludeFromContext: Nullish(Type.Boolean()),
})

const CustomMessageSchema = OpenObject({
  role: oneOf('custom', 'hookMessage'),
  content: ContentSchema,
})

const SummaryMessageSchema = OpenObject({
  role: oneOf('branchSummary', 'compactionSummary'),
  summary: Type.String(),
})

const OtherMessageSchema = OpenObject(
  { role: StringOtherThan(KNOWN_ROLES), content: Type.Optional(Type.Unknown()) },
  {
    description:
      'A message with role `system` or `developer`, which is never summarized, or with an unknown role: in the field `messages`, one without content, or whose role begins with `_`.',
  },
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
export type RawContentBlock = Static<typeof ContentBlockSchema>
export type RawContent = Static<typeof ContentSchema>
