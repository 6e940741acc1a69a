import { Type, type Static } from '@sinclair/typebox'
import { FileListsSchema, ReportSchema } from './compaction-reply.ts'
import { EntriesFormSchema } from './compaction-request.ts'
import { BRANCH_EXAMPLE } from './examples.ts'
import { Nullable } from './typebox.ts'

const { entries, settings } = EntriesFormSchema.properties

export const BranchSummaryRequestSchema = Type.Object(
  {
    entries,
    fromId: Type.String({ description: 'The leaf that is left.' }),
    targetId: Type.String({ description: 'The entry that the agent goes to.' }),
    customInstructions: Type.Optional(Type.String({ description: 'Replaces the prompt.' })),
    settings,
  },
  { title: 'BranchSummaryRequest', examples: [BRANCH_EXAMPLE] },
)
export type BranchSummaryRequest = Static<typeof BranchSummaryRequestSchema>

export const BranchSummaryReplySchema = Type.Object(
  {
    summary: Type.String({ minLength: 1, description: 'Led by a preamble, ended by the file tags.' }),
    details: FileListsSchema,
    commonAncestorId: Nullable(Type.String({ description: 'Null where the branches have nothing in common.' })),
    entryIds: Type.Array(Type.String(), { description: 'All entries after the ancestor, oldest first.' }),
    report: ReportSchema,
  },
  { title: 'BranchSummaryReply' },
)
export type BranchSummaryReply = Static<typeof BranchSummaryReplySchema>
