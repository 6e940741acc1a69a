import { Type, type Static } from '@sinclair/typebox'
import { FactKindSchema } from './comparison.ts'
import { Integer, Text } from './typebox.ts'

const DroppedFactSchema = Type.Object(
  {
    kind: FactKindSchema,
    text: Text('The fact as the session has it, shortened, without secrets.'),
    entryIds: Type.Array(Type.String(), { description: 'The entries that have it, oldest first, at most 20.' }),
  },
  { title: 'DroppedFact' },
)
export type DroppedFact = Static<typeof DroppedFactSchema>

const DroppedCountsSchema = Type.Object(
  {
    kind: FactKindSchema,
    total: Integer('How many facts the compaction was made from.'),
    dropped: Integer('How many of them are neither in its summary nor in a later one.'),
  },
  { title: 'DroppedCounts' },
)
export type DroppedCounts = Static<typeof DroppedCountsSchema>

export const PastCompactionSchema = Type.Object(
  {
    number: Integer('Its number on the branch, from 1.'),
    entryId: Text('The entry that has its summary.'),
    writer: Text('Who wrote it: the id of the format, such as `claude-code`; or `precis`.'),
    tokens: Integer('The size of its summary in the context, as Précis estimates it.'),
    entries: Integer('How many entries with a message it has replaced.'),
    counts: Type.Array(DroppedCountsSchema, {
      description: 'Of each kind that the summary before it or the replaced entries have.',
    }),
    dropped: Type.Array(DroppedFactSchema, {
      description:
        'The facts that it was made from, and that neither its summary nor a later one has: of each kind the newest 200, oldest first.',
    }),
  },
  { title: 'PastCompaction' },
)
export type PastCompaction = Static<typeof PastCompactionSchema>
