import { Type, type Static } from '@sinclair/typebox'
import { Integer, Numeric } from './typebox.ts'

export const FileListsSchema = Type.Object(
  {
    readFiles: Type.Array(Type.String(), {
      description:
        'Paths of files that were read but not modified, sorted. Code makes both lists, not the model; in the prompt form from its `[Assistant tool calls]` lines.',
    }),
    modifiedFiles: Type.Array(Type.String(), { description: 'Paths of files that were written or edited, sorted.' }),
  },
  { title: 'FileLists' },
)

const FullDetailsSchema = Type.Partial(
  Type.Object({
    keyDecisions: Type.Array(Type.Object({ text: Type.String(), entryId: Type.String() })),
    toolsUsed: Type.Array(
      Type.Object({ tool: Type.String(), count: Type.Integer(), notableUses: Type.Array(Type.String()) }),
    ),
    commands: Type.Array(
      Type.Object({ command: Type.String(), exitCode: Type.Optional(Type.Integer()), failed: Type.Boolean() }),
      { description: 'The last 20 commands, oldest first.' },
    ),
    errors: Type.Array(Type.String(), { description: 'The last 10 errors, one line each, oldest first.' }),
    coveredEntryIds: Type.Array(Type.String(), { description: 'The ids of the first and the last summarized entry.' }),
    tokensSaved: Integer('`tokensBefore` - `tokensOutside` - `tokensAfter`.'),
    compressionRatio: Numeric('`tokensAfter` + `tokensOutside`, divided by `tokensBefore`.'),
    filesFromCommands: Type.Object({
      read: Type.Array(Type.String()),
      modified: Type.Array(Type.String()),
      deleted: Type.Array(Type.String()),
      renamed: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
    }),
  }),
)
export type FullDetails = Required<Static<typeof FullDetailsSchema>>

/** The file lists, and all other fields only for `"details": "full"`. */
export const DetailsSchema = Type.Composite([FileListsSchema, FullDetailsSchema], { title: 'Details' })
