import { Type, type Static } from '@sinclair/typebox'
import { ContentSchema, MessageSchema } from './message.ts'
import { Anything, Flag, Integer, Nullish, OpenObject, StringOtherThan } from './typebox.ts'

const KNOWN_TYPES = ['message', 'custom_message', 'branch_summary', 'compaction'] as const

/** The fields of every entry in the tree. Entries of session version 1 have no ids. */
const node = {
  id: Type.Optional(Type.String({ minLength: 1 })),
  parentId: Nullish(Type.String()),
}

const SummaryDetailsSchema = Type.Optional(
  Anything('Any value. `readFiles` and `modifiedFiles` are read, if they are lists of paths.'),
)

const summaryOrigin = {
  details: SummaryDetailsSchema,
  fromHook: Nullish(Flag('pi: true if an extension wrote the summary.')),
  fromExtension: Nullish(Flag('oh-my-pi: true if an extension wrote the summary.')),
}

const MessageEntrySchema = OpenObject({ type: Type.Literal('message'), ...node, message: MessageSchema })

const CustomMessageEntrySchema = OpenObject({
  type: Type.Literal('custom_message'),
  ...node,
  content: ContentSchema,
})

const BranchSummaryEntrySchema = OpenObject({
  type: Type.Literal('branch_summary'),
  ...node,
  summary: Type.String(),
  ...summaryOrigin,
})

const CompactionEntrySchema = OpenObject({
  type: Type.Literal('compaction'),
  ...node,
  summary: Type.String(),
  firstKeptEntryId: Nullish(Type.String()),
  firstKeptEntryIndex: Nullish(Integer('Session version 1: the line of the first kept entry. The header is line 0.')),
  preserveData: Nullish(OpenObject({})),
  ...summaryOrigin,
})

const OtherEntrySchema = OpenObject(
  { type: StringOtherThan(KNOWN_TYPES), ...node },
  {
    description: 'The session header, a title line, metadata (such as `model_change` and `label`), or an unknown type.',
  },
)

export const EntrySchema = Type.Union(
  [MessageEntrySchema, CustomMessageEntrySchema, BranchSummaryEntrySchema, CompactionEntrySchema, OtherEntrySchema],
  { title: 'Entry' },
)

export type RawEntry = Static<typeof EntrySchema>
export type RawCompactionEntry = Static<typeof CompactionEntrySchema>
