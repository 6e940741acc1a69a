import { Type, type Static } from '@sinclair/typebox'
import { DetailsSchema } from './details.ts'
import { FormatSchema } from './format.ts'
import { IgnoredSchema } from './ignored.ts'
import { KeepSchema } from './keep.ts'
import { PreparedUseSchema } from './prepared-use.ts'
import { ProvenanceSchema } from './provenance.ts'
import { writtenFields } from './reply-form.ts'
import { ruleFields } from './rules.ts'
import { Flag, Integer, oneOf, Text } from './typebox.ts'

const Code = Type.Union([Type.String(), Type.Null()])

/** The results of the checks of a summary; a check that does not apply is left out. */
const ChecksSchema = Type.Object(
  {
    sections: Type.Optional(
      Type.Object({
        missing: Type.Array(Text('A required heading that the summary does not have.')),
      }),
    ),
    latestRequest: Type.Optional(
      Type.Union([Type.Literal('kept'), Type.Literal('restored'), Type.Literal('cut'), Type.Literal('missing')], {
        description:
          'Whether the model kept the newest request and an unanswered question word for word, code restored them, or the request is longer than its share and was cut. `missing`: it is not in a summary that the request brought.',
      }),
    ),
    constraints: Type.Optional(
      Type.Object({
        restored: Integer("The number of the user's lasting demands that code restored."),
      }),
    ),
    evidence: Type.Optional(
      Type.Object({
        tokens: Integer('The size of the `## Evidence` section; 0 without one.'),
      }),
    ),
    grounding: Type.Optional(
      Type.Object({
        checked: Integer('The number of paths, URLs, hashes, ports, versions and errors in the summary.'),
        unknown: Type.Array(Type.String(), { description: 'Those that are not in the input.' }),
      }),
    ),
    language: Type.Optional(
      Type.Object(
        { expected: Code, found: Code },
        { description: 'ISO 639-1 codes; `null` if the language cannot be detected.' },
      ),
    ),
    size: Type.Optional(
      Type.Object(
        { tokens: Type.Integer(), limitTokens: Type.Integer() },
        {
          description:
            'The size of the model output. Of a summary over the limit, lists lose their oldest items, and sections that do not fit are left out.',
        },
      ),
    ),
    injection: Type.Optional(
      Type.Object(
        { obeyed: Type.Array(Type.String()) },
        { description: 'Texts in the summary that injected instructions demanded.' },
      ),
    ),
    repaired: Integer('The number of model calls to repair the summary: 0 or 1.'),
  },
  { title: 'Checks' },
)

export const ReportSchema = Type.Object(
  {
    model: Text('The model that wrote the summary; or `embedded`, `caller` or `hook`.'),
    strategy: oneOf('single', 'windows', 'embedded', 'caller', 'hook'),
    windows: Integer(
      'The number of texts that a model summarized: the chunks of the history and those of the turn prefix, without merges. ' +
        'Always 1 for `embedded`, and 0 for `caller` and `hook`.',
    ),
    calls: Integer(
      'The number of model calls of this request, including failed ones; 0 for `embedded`, and for a prepared summary that was used whole.',
    ),
    usage: Type.Object({ inputTokens: Type.Integer(), outputTokens: Type.Integer() }),
    durationMs: Type.Integer(),
    degraded: Flag('True if the model failed and the embedded summarizer wrote the summary.'),
    redactions: Integer('The number of secrets that were replaced.'),
    checks: Type.Optional(ChecksSchema),
    keep: Type.Optional(KeepSchema),
    prepared: Type.Optional(PreparedUseSchema),
    format: Type.Optional(FormatSchema),
    ...ruleFields,
    ignored: Type.Optional(IgnoredSchema),
  },
  { title: 'Report' },
)

const sessionTokens = (what: string) => Type.Optional(Integer(`Entries and messages forms: tokens ${what}`))

export const CompactionReplySchema = Type.Object(
  {
    summary: Text('Never blank. Ends with the file tags, except in the prompt form.', { minLength: 1 }),
    shortSummary: Text('One to three sentences, for a list of sessions.'),
    firstKeptEntryId: Type.Optional(Text('Entries and messages forms: the first entry that stays.')),
    isSplitTurn: Type.Optional(Flag('Entries and messages forms: true if the cut is inside a turn.')),
    tokensBefore: sessionTokens('of the context before the compaction.'),
    tokensAfter: sessionTokens('of the kept messages and the summary, as `/context` returns them.'),
    tokensOutside: sessionTokens(
      'of `tokensBefore` outside the messages (system prompt, tools), as usage shows. They stay.',
    ),
    lastTokensOutside: sessionTokens(
      'that were outside the messages before an earlier compaction, if no answer has usage since then. `tokensBefore` does not include them.',
    ),
    keptConversation: Type.Optional(
      Text('Conversation form with `settings.keepRecentTokens`: the text after the cut.'),
    ),
    details: DetailsSchema,
    preserveData: Type.Optional(Type.Object({}, { additionalProperties: true })),
    provenance: Type.Optional(ProvenanceSchema),
    ...writtenFields,
    report: ReportSchema,
  },
  { title: 'CompactionReply' },
)

export type CompactionReply = Static<typeof CompactionReplySchema>
export type Report = Static<typeof ReportSchema>
export type Checks = Static<typeof ChecksSchema>
