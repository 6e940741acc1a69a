import { Type, type Static } from '@sinclair/typebox'
import { EntriesFormSchema, sessionForms } from './compaction-request.ts'
import { RequestReportSchema } from './ignored.ts'
import { describedOneOf, Integer, Nullable, oneOf, Text } from './typebox.ts'

const { settings, customInstructions, promptOverride, context, style } = EntriesFormSchema.properties

/** The forms of `POST /compaction/prepare`: the fields that shape a summary. */
export const PREPARE_FORMS = sessionForms('Prepare', { settings, customInstructions, promptOverride, context, style })
export type PrepareRequest = Static<(typeof PREPARE_FORMS)['entries']> | Static<(typeof PREPARE_FORMS)['messages']>

export const PrepareReplySchema = Type.Object(
  {
    state: oneOf('preparing', 'nothing'),
    reason: Type.Optional(
      describedOneOf(
        'Why there is nothing to prepare. `too-small`: there is nothing to compact yet. `prepared`: a summary is there, or is being written, and the session has hardly grown since. `embedded`: without a model, a compaction takes no longer. `failed`: the last attempt has failed; try again after `PRECIS_DEADLINE_MS`.',
        ...(['too-small', 'prepared', 'embedded', 'failed'] as const),
      ),
    ),
    detail: Type.Optional(Text('A sentence about the reason.')),
    firstKeptEntryId: Nullable(
      Text(
        'The first entry that the summary does not cover: for `prepared`, the one that is there. `null` if there is none.',
      ),
    ),
    tokensCovered: Integer('The tokens of the messages that the summary covers.'),
    tokensKept: Integer('The tokens of the messages after it.'),
    contextTokens: Integer('Tokens of the current context.'),
    report: Type.Optional(RequestReportSchema),
  },
  { title: 'PrepareReply' },
)
export type PrepareReply = Static<typeof PrepareReplySchema>
