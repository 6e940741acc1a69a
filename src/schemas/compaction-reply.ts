import { Type, type Static } from '@sinclair/typebox'

export const FileListsSchema = Type.Object(
  {
    readFiles: Type.Array(Type.String(), { description: 'Files that were read and not modified, sorted.' }),
    modifiedFiles: Type.Array(Type.String(), { description: 'Files that were written or edited, sorted.' }),
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
      { description: 'The last 20, oldest first.' },
    ),
    errors: Type.Array(Type.String(), { description: 'The last 10, one line each, oldest first.' }),
    coveredEntryIds: Type.Array(Type.String(), { description: 'The first and the last entry summarized.' }),
    tokensSaved: Type.Integer(),
    compressionRatio: Type.Number({ description: 'tokensAfter / tokensBefore' }),
    filesFromCommands: Type.Object({
      read: Type.Array(Type.String()),
      modified: Type.Array(Type.String()),
      deleted: Type.Array(Type.String()),
      renamed: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
    }),
  }),
)
export type FullDetails = Required<Static<typeof FullDetailsSchema>>

/** The file lists, and with `"details": "full"` the rest. */
export const DetailsSchema = Type.Composite([FileListsSchema, FullDetailsSchema], { title: 'Details' })

const Code = Type.Union([Type.String(), Type.Null()])

/** What code found of the summary; a check that does not apply is left out. */
export const ChecksSchema = Type.Object(
  {
    sections: Type.Optional(Type.Object({ missing: Type.Array(Type.String({ description: 'A required heading.' })) })),
    latestRequest: Type.Optional(
      Type.Union([Type.Literal('kept'), Type.Literal('restored')], {
        description:
          'Whether the newest request, and an open question, stood there word for word, or code put them in.',
      }),
    ),
    constraints: Type.Optional(
      Type.Object({ restored: Type.Integer({ description: "The user's demands that code put back." }) }),
    ),
    grounding: Type.Optional(
      Type.Object({
        checked: Type.Integer({ description: 'Paths, URLs, hashes, ports, versions and errors in the summary.' }),
        unknown: Type.Array(Type.String(), { description: 'Those that stand nowhere in the input.' }),
      }),
    ),
    language: Type.Optional(
      Type.Object({ expected: Code, found: Code }, { description: 'ISO 639-1 codes; null where it cannot be told.' }),
    ),
    size: Type.Optional(
      Type.Object(
        { tokens: Type.Integer(), limitTokens: Type.Integer() },
        { description: 'What the model wrote; a summary over the limit was cut at the end of a section.' },
      ),
    ),
    injection: Type.Optional(
      Type.Object({ obeyed: Type.Array(Type.String()) }, { description: 'Texts that forged instructions demanded.' }),
    ),
    repaired: Type.Integer({ description: 'Repair calls that were made: at most one.' }),
  },
  { title: 'Checks' },
)

export const ReportSchema = Type.Object(
  {
    model: Type.String({ description: 'The candidate that answered, or `embedded`.' }),
    strategy: Type.Union([Type.Literal('single'), Type.Literal('windows'), Type.Literal('embedded')]),
    windows: Type.Integer({ description: 'Parts over history and turn prefix, merges not counted.' }),
    calls: Type.Integer({ description: 'Model calls, failed ones included; embedded: 0.' }),
    usage: Type.Object({ inputTokens: Type.Integer(), outputTokens: Type.Integer() }),
    durationMs: Type.Integer(),
    degraded: Type.Boolean({ description: 'True when the embedded summarizer stood in for a failed model.' }),
    redactions: Type.Integer({ description: 'Secrets that were replaced.' }),
    checks: Type.Optional(ChecksSchema),
  },
  { title: 'Report' },
)

export const CompactionReplySchema = Type.Object(
  {
    summary: Type.String({
      minLength: 1,
      description: 'Never blank; ends with the file tags, but in the prompt form.',
    }),
    shortSummary: Type.String({ description: 'One to three sentences for a list view.' }),
    firstKeptEntryId: Type.Optional(Type.String({ description: 'Entries and messages form.' })),
    isSplitTurn: Type.Optional(Type.Boolean({ description: 'Entries and messages form.' })),
    tokensBefore: Type.Optional(Type.Integer({ description: 'Entries and messages form.' })),
    tokensAfter: Type.Optional(Type.Integer({ description: 'Entries and messages form.' })),
    keptConversation: Type.Optional(
      Type.String({ description: 'Conversation form with `settings.keepRecentTokens`: the text from the cut on.' }),
    ),
    details: DetailsSchema,
    preserveData: Type.Optional(Type.Object({}, { additionalProperties: true })),
    report: ReportSchema,
  },
  { title: 'CompactionReply' },
)

export type CompactionReply = Static<typeof CompactionReplySchema>
export type Report = Static<typeof ReportSchema>
export type Checks = Static<typeof ChecksSchema>
