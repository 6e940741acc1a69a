import { Type, type Static } from '@sinclair/typebox'

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

const WorkDetailsSchema = Type.Object({
  keyDecisions: Type.Array(Type.Object({ text: Type.String(), entryId: Type.String() })),
  commands: Type.Array(
    Type.Object({ command: Type.String(), exitCode: Type.Optional(Type.Integer()), failed: Type.Boolean() }),
    { description: 'The last 20 commands, oldest first.' },
  ),
  errors: Type.Array(Type.String(), { description: 'The last 10 errors, one line each, oldest first.' }),
})

/** What was done in the summarized messages. */
export type WorkDetails = Static<typeof WorkDetailsSchema>

/** The file lists, and all other fields only for `"details": "full"`. */
export const DetailsSchema = Type.Composite([FileListsSchema, Type.Partial(WorkDetailsSchema)], { title: 'Details' })
