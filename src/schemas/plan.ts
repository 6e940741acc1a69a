import { Type, type Static } from '@sinclair/typebox'
import { FileListsSchema } from './compaction-reply.ts'
import { EntriesFormSchema, sessionForms } from './compaction-request.ts'
import { Nullable, oneOf } from './typebox.ts'

const { settings, customInstructions, promptOverride, context, style } = EntriesFormSchema.properties

/** The forms of `POST /compaction/plan`. */
export const PLAN_FORMS = sessionForms('Plan', {
  settings,
  customInstructions,
  promptOverride,
  context,
  style,
  idle: Type.Optional(Type.Boolean({ description: 'True where the session lies idle.' })),
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
    contextTokens: Type.Integer({ description: 'The context as it is now.' }),
    thresholdTokens: Nullable(Type.Integer({ description: 'Past it, compact; null where no window is known.' })),
    firstKeptEntryId: Nullable(Type.String({ description: 'The cut; null where there is nothing to compact.' })),
    isSplitTurn: Type.Boolean(),
    turnStartEntryId: Nullable(Type.String()),
    tokensBefore: Type.Integer(),
    tokensKept: Type.Integer(),
    hasPreviousSummary: Type.Boolean(),
    details: FileListsSchema,
    windows: Type.Integer({ description: 'Model calls that a compaction would take, merges not counted.' }),
    promptTokens: Type.Integer({ description: 'What a compaction would send to the summarizer.' }),
    summarizerWindow: Type.Integer({ description: "The first candidate's context window." }),
    prune: Type.Object({ count: Type.Integer(), tokensSaved: Type.Integer() }),
    entries: Type.Array(PlannedEntrySchema, { description: 'Every entry of the body, in order.' }),
  },
  { title: 'PlanReply' },
)
export type PlanReply = Static<typeof PlanReplySchema>
