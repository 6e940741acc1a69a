import { Type, type Static } from '@sinclair/typebox'
import { describedOneOf, oneOf, Text } from './typebox.ts'

/** How a hook has ended. `afterCompact` is only logged. */
const HookRunSchema = Type.Object({
  hook: oneOf('beforeCompact', 'compacting', 'afterCompact', 'beforeBranchSummary'),
  outcome: describedOneOf(
    '`failed`: it threw. `timeout`: it took longer than `PRECIS_HOOK_MS`. `invalid`: its result does not have the ' +
      'documented form. `unavailable`: no process was ready for it in time.',
    ...(['ok', 'failed', 'timeout', 'invalid', 'unavailable'] as const),
  ),
  ms: Type.Integer(),
})

export type HookRun = Static<typeof HookRunSchema>

/** The fields of a report for the operator's own prompts and hooks. */
export const ruleFields = {
  prompts: Type.Optional(Text('A hash of the prompts that the operator has replaced (`PRECIS_PROMPTS`).')),
  hooks: Type.Optional(
    Type.Array(HookRunSchema, {
      description: "The operator's hooks that ran before the summary, in their order (`PRECIS_HOOKS`).",
    }),
  ),
}
