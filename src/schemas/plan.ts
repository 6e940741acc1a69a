import { Type, type Static } from '@sinclair/typebox'
import { FileListsSchema } from './compaction-reply.ts'
import { EntriesFormSchema, sessionForms } from './compaction-request.ts'
import { RequestReportSchema } from './ignored.ts'
import { Nullable, oneOf } from './typebox.ts'

const { settings, customInstructions, promptOverride, context, style } = EntriesFormSchema.properties

/** The forms of `POST /compaction/plan`. */
export const PLAN_FORMS = sessionForms('Plan', {
  settings,
  customInstructions,
  promptOverride,
  context,
  style,
  idle: Type.Optional(
    Type.Boolean({ description: 'True if the session is idle, so that `idleThresholdTokens` applies.' }),
  ),
})
export const PlanRequestSchema = Type.Union(Object.values(PLAN_FORMS))
export type PlanRequest = Static<(typeof PLAN_FORMS)['entries']> | Static<(typeof PLAN_FORMS)['messages']>

const PlannedEntrySchema = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    role: Type.Optional(Type.String()),
    tokens: Type.Integer(),
    region: oneOf('summarized', 'turn-prefix', 'kept', 'covered', 'ignored'),
  },
  { title: 'PlannedEntry' },
)

export const PlanReplySchema = Type.Object(
  {
    action: oneOf('none', 'prune', 'compact'),
    reason: oneOf('overflow', 'incomplete', 'threshold', 'idle', 'below-threshold', 'nothing-to-compact'),
    contextTokens: Type.Integer({ description: 'Tokens of the current context.' }),
    thresholdTokens: Nullable(
      Type.Integer({ description: 'Compact if `contextTokens` exceeds it; `null` if no context window is known.' }),
    ),
    firstKeptEntryId: Nullable(
      Type.String({ description: 'The first entry that stays; `null` if there is nothing to compact.' }),
    ),
    isSplitTurn: Type.Boolean(),
    turnStartEntryId: Nullable(Type.String()),
    tokensBefore: Type.Integer(),
    tokensKept: Type.Integer(),
    hasPreviousSummary: Type.Boolean(),
    details: FileListsSchema,
    windows: Type.Integer({ description: 'The number of model calls of a compaction; merges do not count.' }),
    promptTokens: Type.Integer({ description: 'Tokens that a compaction would send to the summarizer.' }),
    summarizerWindow: Type.Integer({ description: 'The context window of the first summarizer model, in tokens.' }),
    prune: Type.Object({ count: Type.Integer(), tokensSaved: Type.Integer() }),
    entries: Type.Array(PlannedEntrySchema, { description: 'All entries of the request, in order.' }),
    report: Type.Optional(RequestReportSchema),
  },
  { title: 'PlanReply' },
)
export type PlanReply = Static<typeof PlanReplySchema>
