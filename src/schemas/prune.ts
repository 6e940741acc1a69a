import { Type, type Static } from '@sinclair/typebox'
import { sessionForms } from './compaction-request.ts'
import { RequestReportSchema } from './ignored.ts'
import { NativeSchema } from './reply-form.ts'
import { Flag, Integer } from './typebox.ts'

const PruneSettingsSchema = Type.Object(
  {
    protectTokens: Type.Optional(
      Integer('The number of newest tokens of tool output that stay. Default: 40000.', { minimum: 0 }),
    ),
    minimumSavings: Type.Optional(
      Integer('Nothing is pruned if fewer tokens than this would be saved. Default: 20000.', { minimum: 0 }),
    ),
    protectedTools: Type.Optional(
      Type.Array(Type.String(), { description: 'The names of tools whose output stays. Default: `skill` and `read`.' }),
    ),
  },
  { title: 'PruneSettings' },
)

export const PRUNE_FORMS = sessionForms('Prune', {
  prune: Type.Optional(PruneSettingsSchema),
  native: Type.Optional(
    Flag(
      'The reply has the new session file as `native`, and not its `entries`: of Claude Code, Codex, pi and oh-my-pi.',
    ),
  ),
})
export type PruneRequest = Static<(typeof PRUNE_FORMS)['entries']> | Static<(typeof PRUNE_FORMS)['messages']>

const AnyObject = Type.Object({}, { additionalProperties: true })

export const PruneReplySchema = Type.Object(
  {
    entries: Type.Optional(Type.Array(AnyObject, { description: 'Entries form: all entries, in order.' })),
    messages: Type.Optional(Type.Array(AnyObject, { description: 'Messages form: all messages, in order.' })),
    native: Type.Optional(NativeSchema),
    pruned: Type.Array(Type.Object({ id: Type.String(), tokens: Type.Integer() }), {
      description: 'The pruned outputs, whose text is now `[Output truncated - N tokens]`, and their size before.',
    }),
    tokensSaved: Type.Integer(),
    mostTokensSaved: Integer('What would be saved with `protectTokens` and `minimumSavings` of 0.'),
    report: Type.Optional(RequestReportSchema),
  },
  { title: 'PruneReply' },
)
export type PruneReply = Static<typeof PruneReplySchema>
