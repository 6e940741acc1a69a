import { Type, type Static } from '@sinclair/typebox'
import { ChecksSchema } from './checks.ts'
import { DetailsSchema } from './details.ts'
import { EncryptedAtSchema, KeepSchema } from './keep.ts'
import { FormatSchema } from './format.ts'
import { IgnoredSchema } from './ignored.ts'
import { ItemSchema } from './items.ts'
import { PreparedUseSchema } from './prepared-use.ts'
import { ProvenanceSchema } from './provenance.ts'
import { writtenFields } from './reply-form.ts'
import { ruleFields } from './rules.ts'
import { describedOneOf, Flag, Integer, Text } from './typebox.ts'

export const ReportSchema = Type.Object(
  {
    model: Text('The model that wrote the summary; or `embedded`, `caller` or `hook`.'),
    strategy: describedOneOf(
      '`single`: each text fitted into one call. `windows`: a text was split. `embedded`: no model was called. `caller`, `hook`: the request or a hook brought the summary.',
      'single',
      'windows',
      'embedded',
      'caller',
      'hook',
    ),
    windows: Integer(
      'The number of texts that a model summarized: the chunks of the history and those of the turn prefix, without merges. ' +
        'Always 1 for `embedded`, and 0 for `caller` and `hook`.',
    ),
    calls: Integer(
      'The number of model calls that this request has caused, including failed ones and repairs; 0 for `embedded`, for a prepared summary that was used whole, and for an answer that was cached, or that an equal request is waiting for too.',
    ),
    usage: Type.Object(
      { inputTokens: Type.Integer(), outputTokens: Type.Integer() },
      { description: 'The tokens that the model server counted for these calls.' },
    ),
    durationMs: Integer('Milliseconds from the head of the request to the reply.'),
    degraded: Flag(
      'True if the model failed and the embedded summarizer wrote the summary (`PRECIS_ON_FAILURE=embedded`).',
    ),
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
    isSplitTurn: Type.Optional(
      Flag(
        'Entries and messages forms: true if the cut is inside a turn. The summary then has a second part, for the beginning of this turn.',
      ),
    ),
    tokensBefore: sessionTokens('of the context before the compaction.'),
    tokensAfter: sessionTokens('of the kept messages and the summary, as `/context` returns them.'),
    tokensOutside: sessionTokens(
      'of `tokensBefore` in no message (system prompt, tools), as far as a provider has counted them. Each replaced token takes with it what a provider counted more for it: `tokensOutsideAfter` is what remains.',
    ),
    lastTokensOutside: sessionTokens(
      'that a provider would probably count beyond the messages, if no answer has usage since an earlier compaction. `tokensBefore` does not include them.',
    ),
    tokensOutsideAfter: sessionTokens(
      'that a provider will probably count beyond `tokensAfter`: the plan of the session has them as `lastTokensOutside` then. Left out if no provider has counted.',
    ),
    encryptedAt: EncryptedAtSchema,
    keptConversation: Type.Optional(
      Text('Conversation form with `settings.keepRecentTokens`: the text after the cut.'),
    ),
    details: DetailsSchema,
    preserveData: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The object of the request or, in the entries form, of the newest compaction.',
        },
      ),
    ),
    provenance: Type.Optional(ProvenanceSchema),
    items: Type.Optional(
      Type.Array(ItemSchema, {
        description:
          'With `include=items`: the requests, tasks and steps of the summarized entries, with their states at the end of these entries. Of each kind the newest 200, oldest first.',
      }),
    ),
    ...writtenFields,
    report: ReportSchema,
  },
  { title: 'CompactionReply' },
)

export type CompactionReply = Static<typeof CompactionReplySchema>
export type Report = Static<typeof ReportSchema>
