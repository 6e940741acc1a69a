import { Type, type Static } from '@sinclair/typebox'
import { ReportSchema } from './compaction-reply.ts'
import { EntriesFormSchema, sessionForms } from './compaction-request.ts'
import { RequestReportSchema } from './ignored.ts'
import { includeSchema, oneOf } from './typebox.ts'
import { ProvenanceSchema } from './provenance.ts'

const { settings, customInstructions, context } = EntriesFormSchema.properties

const { entries } = sessionForms('Comparison', {
  settings,
  customInstructions,
  context,
  compaction: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'The compaction whose summary is compared, from 1: 2 is the second one of the branch. Default: the newest one that Précis has not written.',
    }),
  ),
})

/** The form of `POST /compaction/compare`: a list of messages has nothing that a compaction replaced. */
export const COMPARISON_FORMS = { entries }
export type ComparisonRequest = Static<typeof entries>

/** The parts that the reply of a comparison has if the query asks for them. */
export const COMPARISON_PARTS = ['provenance'] as const

export const ComparisonQuerySchema = Type.Composite([
  includeSchema(COMPARISON_PARTS, '`provenance`: where the facts of both summaries stand in the session.'),
  Type.Object({
    candidate: Type.Optional(
      Type.String({ description: 'The only candidate that is asked: a model of `PRECIS_MODEL`, or `embedded`.' }),
    ),
  }),
])

/** The kinds of facts that code finds in a session, in the order in which they are shown. */
export const SESSION_FACT_KINDS = [
  'request',
  'demand',
  'open-item',
  'changed-file',
  'read-file',
  'command',
  'error',
  'number',
  'commit',
] as const

export type SessionFactKind = (typeof SESSION_FACT_KINDS)[number]

export const FactKindSchema = oneOf(...SESSION_FACT_KINDS)

const ComparedFactSchema = Type.Object(
  {
    kind: FactKindSchema,
    text: Type.String({ description: 'The fact as the session has it, shortened, without secrets.' }),
    entryIds: Type.Array(Type.String(), { description: 'The entries that have it, oldest first, at most 20.' }),
    inAgent: Type.Boolean({ description: "Whether the agent's summary has it." }),
    inPrecis: Type.Boolean({ description: "Whether Précis' summary has it." }),
  },
  { title: 'ComparedFact' },
)
export type ComparedFact = Static<typeof ComparedFactSchema>

const FactCountsSchema = Type.Object(
  {
    kind: FactKindSchema,
    total: Type.Integer(),
    inAgent: Type.Integer(),
    inPrecis: Type.Integer(),
  },
  { title: 'FactCounts' },
)
export type FactCounts = Static<typeof FactCountsSchema>

const sideFields = {
  summary: Type.String({ description: 'Without secrets.' }),
  tokens: Type.Integer({ description: 'The size of the summary in the context, as Précis estimates it.' }),
  unknown: Type.Array(Type.String(), {
    description: 'Paths, URLs, hashes, ports, versions and errors of the summary that are not in what it replaces.',
  }),
  provenance: Type.Optional(ProvenanceSchema),
}

export const ComparisonReplySchema = Type.Object(
  {
    compaction: Type.Object(
      {
        number: Type.Integer({ description: 'Its number on the branch, from 1.' }),
        of: Type.Integer({ description: 'How many compactions the branch has.' }),
        entryId: Type.String({ description: 'The entry that has its summary.' }),
        entries: Type.Integer({ description: 'How many entries with a message it has replaced.' }),
        tokens: Type.Integer({ description: 'Their size, as Précis estimates it.' }),
        firstEntryId: Type.String(),
        lastEntryId: Type.String(),
        previousEntryId: Type.Optional(
          Type.String({ description: 'The compaction before it, whose summary both were written from, too.' }),
        ),
      },
      { title: 'ComparedCompaction' },
    ),
    agent: Type.Object(
      {
        writer: Type.String({
          description: 'Who wrote it: the id of the format, such as `claude-code`; or `precis`.',
        }),
        model: Type.Optional(Type.String({ description: "The model of the agent's last answer before it." })),
        ...sideFields,
      },
      { title: 'AgentSummary' },
    ),
    precis: Type.Object({ ...sideFields, report: ReportSchema }, { title: 'PrecisSummary' }),
    counts: Type.Array(FactCountsSchema, { description: 'Of each kind that the replaced entries have.' }),
    facts: Type.Array(ComparedFactSchema, {
      description: 'The facts of the replaced entries that code finds, of each kind the newest 200, oldest first.',
    }),
    report: Type.Optional(RequestReportSchema),
  },
  { title: 'ComparisonReply' },
)
export type ComparisonReply = Static<typeof ComparisonReplySchema>
