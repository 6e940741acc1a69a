import { Type, type Static } from '@sinclair/typebox'
import { ContentSchema, MessageSchema } from './message.ts'
import { Nullish, OpenObject, StringOtherThan } from './typebox.ts'

const KNOWN_TYPES = ['message', 'custom_message', 'branch_summary', 'compaction'] as const

/** Fields that every entry of the tree may have; session version 1 has no ids. */
const node = {
  id: Type.Optional(Type.String({ minLength: 1 })),
  parentId: Nullish(Type.String()),
}

const DetailsSchema = Type.Optional(
  Type.Unknown({
    description: 'Read where it holds `readFiles` and `modifiedFiles`; extensions write what they like.',
  }),
)

const summaryOrigin = {
  details: DetailsSchema,
  fromHook: Nullish(Type.Boolean({ description: 'pi: an extension wrote it' })),
  fromExtension: Nullish(Type.Boolean({ description: 'oh-my-pi: an extension wrote it' })),
}

export const MessageEntrySchema = OpenObject({ type: Type.Literal('message'), ...node, message: MessageSchema })

export const CustomMessageEntrySchema = OpenObject({
  type: Type.Literal('custom_message'),
  ...node,
  content: ContentSchema,
})

export const BranchSummaryEntrySchema = OpenObject({
  type: Type.Literal('branch_summary'),
  ...node,
  summary: Type.String(),
  ...summaryOrigin,
})

export const CompactionEntrySchema = OpenObject({
  type: Type.Literal('compaction'),
  ...node,
  summary: Type.String(),
  firstKeptEntryId: Nullish(Type.String()),
  firstKeptEntryIndex: Nullish(Type.Integer({ description: 'session version 1; the header line counts as 0' })),
  preserveData: Nullish(OpenObject({})),
  ...summaryOrigin,
})

export const OtherEntrySchema = OpenObject(
  { type: StringOtherThan(KNOWN_TYPES), ...node },
  { description: 'The session header, a title line, metadata (`model_change`, `label`, ...), or an unknown type.' },
)

export const EntrySchema = Type.Union(
  [MessageEntrySchema, CustomMessageEntrySchema, BranchSummaryEntrySchema, CompactionEntrySchema, OtherEntrySchema],
  { title: 'Entry' },
)

export type RawEntry = Static<typeof EntrySchema>
export type RawMessageEntry = Static<typeof MessageEntrySchema>
export type RawCustomMessageEntry = Static<typeof CustomMessageEntrySchema>
export type RawBranchSummaryEntry = Static<typeof BranchSummaryEntrySchema>
export type RawCompactionEntry = Static<typeof CompactionEntrySchema>
