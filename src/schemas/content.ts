import { Type, type Static } from '@sinclair/typebox'
import { Nullish, OpenObject, StringOtherThan } from './open-object.ts'

const KNOWN_BLOCKS = ['text', 'thinking', 'toolCall'] as const

export const TextBlockSchema = OpenObject({ type: Type.Literal('text'), text: Type.String() })
export const ThinkingBlockSchema = OpenObject({ type: Type.Literal('thinking'), thinking: Type.String() })
export const ToolCallBlockSchema = OpenObject({
  type: Type.Literal('toolCall'),
  id: Type.String(),
  name: Type.String(),
  arguments: Type.Optional(Type.Unknown({ description: "The call's arguments, an object as a rule." })),
})
export const OtherBlockSchema = OpenObject(
  { type: StringOtherThan(KNOWN_BLOCKS) },
  { description: 'An image (`image`, `image_url`) or a block that this version does not know.' },
)

export const ContentBlockSchema = Type.Union(
  [TextBlockSchema, ThinkingBlockSchema, ToolCallBlockSchema, OtherBlockSchema],
  { title: 'ContentBlock' },
)
export type RawContentBlock = Static<typeof ContentBlockSchema>

export const ContentSchema = Type.Union([Type.String(), Type.Array(ContentBlockSchema)])
export type RawContent = Static<typeof ContentSchema>

/** An OpenAI chat message's tool call. */
export const ChatToolCallSchema = OpenObject({
  id: Type.String(),
  type: Type.Optional(Type.String()),
  function: Type.Optional(OpenObject({ name: Type.String(), arguments: Nullish(Type.String()) })),
})
