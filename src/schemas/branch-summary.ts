import { Type, type Static } from '@sinclair/typebox'
import { ReportSchema } from './compaction-reply.ts'
import { EntriesFormSchema } from './compaction-request.ts'
import { FileListsSchema } from './details.ts'
import { Nullable, Text } from './typebox.ts'

const { entries, settings } = EntriesFormSchema.properties

export const BranchSummaryRequestSchema = Type.Object(
  {
    entries,
    fromId: Text('The leaf of the branch that the agent leaves.'),
    targetId: Text('The entry to which the agent goes.'),
    customInstructions: Type.Optional(Text('Replaces the instructions in the prompt.')),
    settings,
  },
  { title: 'BranchSummaryRequest' },
)
export type BranchSummaryRequest = Static<typeof BranchSummaryRequestSchema>

export const BranchSummaryReplySchema = Type.Object(
  {
    summary: Text('Begins with a preamble and ends with the file tags.', { minLength: 1 }),
    details: FileListsSchema,
    commonAncestorId: Nullable(Text('The last entry that both branches have; `null` if they have no common entry.')),
    entryIds: Type.Array(Type.String(), {
      description: 'The ids of all entries after the common ancestor, oldest first.',
    }),
    report: ReportSchema,
  },
  { title: 'BranchSummaryReply' },
)
export type BranchSummaryReply = Static<typeof BranchSummaryReplySchema>
