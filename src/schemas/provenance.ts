import { Type, type Static } from '@sinclair/typebox'
import { includeSchema, Integer, Nullable, oneOf, Text } from './typebox.ts'

/** The parts that a reply has if the query asks for them. */
export const COMPACTION_PARTS = ['provenance', 'items'] as const

export const CompactionQuerySchema = Type.Composite([
  includeSchema(
    COMPACTION_PARTS,
    '`provenance`: where the facts of the summary stand in the session. `items`: its requests, tasks and steps, with their states. Both for the entries and messages forms. Repeat it, or separate them by commas.',
  ),
  Type.Object({
    candidate: Type.Optional(Text('The only candidate that is asked: a model of `PRECIS_MODEL`, or `embedded`.')),
  }),
])

const FactSchema = Type.Object(
  {
    text: Text('The fact as the summary has it, without quotation marks.'),
    kind: oneOf('path', 'url', 'commit', 'port', 'version', 'error', 'command', 'code', 'quote'),
    entryIds: Type.Array(Type.String(), { description: 'The entries that have it, oldest first, at most 20.' }),
    count: Nullable(
      Integer(
        'The number of entries that have it; 0 if none does: the model has changed the words or invented them; `null` if none was found, but a part of the session was not searched.',
      ),
    ),
  },
  { title: 'Fact' },
)

export const ProvenanceSchema = Type.Object(
  {
    facts: Type.Array(FactSchema),
    entryFacts: Type.Record(Type.String(), Type.Integer(), {
      description: 'For each entry that has facts of the summary: their number.',
    }),
  },
  {
    title: 'Provenance',
    description:
      'With `include=provenance`: where the facts of the summary stand in the session, at most 600: paths, URLs, commits, ports, versions, errors, texts in backticks, texts of at least 12 characters in quotation marks, and quoted lines. They are searched in all messages that the summary or the context has, with outputs, arguments and thinking. Case, white space and the direction of slashes do not count; a name inside a longer name does not count. A shortened text (`...`, a replaced secret) is in an entry that has all of its parts.',
  },
)

export type Fact = Static<typeof FactSchema>
export type Provenance = Static<typeof ProvenanceSchema>
