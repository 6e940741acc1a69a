import { Type, type Static } from '@sinclair/typebox'
import { EntriesFormSchema, sessionForms } from './compaction-request.ts'
import { FileListsSchema } from './details.ts'
import { EncryptedAtSchema, KeepSchema } from './keep.ts'
import { RequestReportSchema } from './ignored.ts'
import { describedOneOf, Flag, includeSchema, Integer, Nullable, oneOf, Text } from './typebox.ts'
import { PastCompactionSchema } from './past-compaction.ts'
import { PlannedPromptSchema } from './planned-prompt.ts'

const { settings, customInstructions, promptOverride, context, style, prepared } = EntriesFormSchema.properties

/** The forms of `POST /compaction/plan`. */
export const PLAN_FORMS = sessionForms('Plan', {
  settings,
  customInstructions,
  promptOverride,
  context,
  style,
  prepared,
  idle: Type.Optional(Flag('True if the session is idle, so that `idleThresholdTokens` applies.')),
})
export type PlanRequest = Static<(typeof PLAN_FORMS)['entries']> | Static<(typeof PLAN_FORMS)['messages']>

const PlannedEntrySchema = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    role: Type.Optional(Type.String()),
    tokens: Type.Integer(),
    region: describedOneOf(
      '`summarized`: in the history. `turn-prefix`: in the beginning of a split turn. `kept`: stays. `covered`: in the previous summary. `ignored`: not on the branch, without a message, or before a reset.',
      'summarized',
      'turn-prefix',
      'kept',
      'covered',
      'ignored',
    ),
    text: Type.Optional(
      Text(
        'With `include=entries`: the beginning of what the entry says, on one line, up to 160 characters, without secrets.',
      ),
    ),
    tools: Type.Optional(
      Type.Array(Type.String(), {
        description: 'With `include=entries`: the tools that the entry calls, or the tool whose result it is.',
      }),
    ),
    startsTurn: Type.Optional(Type.Literal(true, { description: 'With `include=entries`: a turn begins here.' })),
    isError: Type.Optional(Type.Literal(true, { description: 'With `include=entries`: a tool or an answer failed.' })),
    isOffBranch: Type.Optional(
      Type.Literal(true, {
        description:
          'With `include=entries`: the entry is on a branch that was left: neither a plan nor the agent reads it.',
      }),
    ),
    encryptedCompaction: Type.Optional(
      describedOneOf(
        'With `include=entries`: the agent has compacted here, and the summary is encrypted. `this`: the entry is the compaction. `next`: the compaction comes right after the entry, and is no entry. The agent no longer reads what it has replaced; a plan counts the compaction as absent.',
        'this',
        'next',
      ),
    ),
    range: Type.Optional(
      Type.Object(
        { start: Type.Integer(), end: Type.Integer() },
        { description: 'With `include=entries`: where the entry is in the posted document, in bytes.' },
      ),
    ),
  },
  { title: 'PlannedEntry' },
)

/** The parts that the reply of a plan has if the query asks for them. */
export const PLAN_PARTS = ['entries', 'prompts', 'compactions'] as const

export const PlanQuerySchema = includeSchema(
  PLAN_PARTS,
  '`entries`: more about each entry. `prompts`: the prompts as they would be sent. `compactions`: what earlier compactions dropped. Repeat it, or separate them by commas.',
)

export const PlanReplySchema = Type.Object(
  {
    action: describedOneOf('What the agent should do now.', 'none', 'prepare', 'prune', 'compact'),
    reason: describedOneOf(
      'Why: the first that applies of `nothing-to-compact`, `overflow` (the provider has refused the context as too long), `incomplete` (an answer has ended at the output limit), `threshold`, `idle`, `below-threshold`, `no-threshold` (neither `contextWindow` nor `thresholdTokens` is set).',
      'overflow',
      'incomplete',
      'threshold',
      'idle',
      'below-threshold',
      'no-threshold',
      'nothing-to-compact',
    ),
    contextTokens: Integer('Tokens of the current context.'),
    thresholdTokens: Nullable(Integer('Compact if `contextTokens` exceeds it; `null` if there is none.')),
    contextWindow: Nullable(Integer('The context window that counts; `null` if none is known.')),
    firstKeptEntryId: Nullable(Text('The first entry that stays; `null` if there is nothing to compact.')),
    isSplitTurn: Flag('True if the cut is inside a turn.'),
    turnStartEntryId: Nullable(Text('The first entry of a split turn.')),
    tokensBefore: Integer('The same number as `contextTokens`.'),
    tokensOutside: Integer(
      'Those of them that are in no message: system prompt and tools, as far as a provider has reported usage.',
    ),
    lastTokensOutside: Type.Optional(
      Integer(
        'The tokens that a provider would probably count beyond the messages, known from the usage before the latest compaction: until an answer has usage again. `contextTokens` does not include them.',
      ),
    ),
    tokensKept: Integer('Tokens of the messages that would stay.'),
    keep: KeepSchema,
    prepared: Type.Optional(
      Type.Object(
        {
          use: oneOf('whole', 'earlier'),
          firstKeptEntryId: Text('The first entry that it does not cover.'),
          isReady: Flag('False while it is being written.'),
        },
        {
          description:
            'The prepared summary that a compaction would use now. `whole`: at once, with this cut. `earlier`: as its earlier summary. Absent if there is none.',
        },
      ),
    ),
    encryptedAt: EncryptedAtSchema,
    hasPreviousSummary: Flag('True if the session has an earlier summary, which would be updated.'),
    previousSummaryTokens: Integer('Those of `contextTokens` that are the previous summary; 0 without one.'),
    details: FileListsSchema,
    windows: Integer(
      'The number of texts that a compaction would summarize: the chunks of the history and those of the turn prefix, ' +
        'without merges. Always 1 with the embedded summarizer.',
    ),
    promptTokens: Integer('Tokens that a compaction would send to the summarizer.'),
    summarizerWindow: Integer('The context window of the first summarizer model, in tokens.'),
    prune: Type.Object(
      { count: Type.Integer(), tokensSaved: Type.Integer() },
      { description: 'What `POST /prune` with its default settings would save.' },
    ),
    entries: Type.Array(PlannedEntrySchema, { description: 'All entries of the request, in order.' }),
    prompts: Type.Optional(
      Type.Array(PlannedPromptSchema, { description: 'With `include=prompts`; empty if there is nothing to compact.' }),
    ),
    previousSummary: Type.Optional(Text('With `include=prompts`: the previous summary without its file tags.')),
    compactions: Type.Optional(
      Type.Array(PastCompactionSchema, {
        description:
          'With `include=compactions`: the compactions of the branch since its newest reset, oldest first, as far as their summaries can be read.',
      }),
    ),
    report: Type.Optional(RequestReportSchema),
  },
  { title: 'PlanReply' },
)
export type PlanReply = Static<typeof PlanReplySchema>
export type PlannedEntry = Static<typeof PlannedEntrySchema>
