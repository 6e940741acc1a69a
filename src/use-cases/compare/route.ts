import { COMPARISON_FORMS, ComparisonQuerySchema, ComparisonReplySchema } from '../../schemas/comparison.ts'
import { SUMMARY_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /compaction/compare`: compares a summary that an agent has written with one of the same entries by this service. */
export const compareCompactions: UseCase = {
  path: '/compaction/compare',
  operationId: 'compareCompactions',
  summary: "Compare an agent's own compaction with one by Précis",
  description: withRules(
    'Compares the summary that the agent has written itself with one that Précis writes of the same entries: which facts of these entries each of them has. Code finds the facts. If there is no summary to compare with, the reply is 422 `nothing-to-compare`, and `detail` says why.',
    'The compaction is the newest one on the branch that Précis has not written, or that with the number `compaction`, as `compaction:N` of `/recall` counts them. Précis has written a summary if it has `## User Messages`, `## Evidence` or `## Looking things up`. If the newest one is encrypted, no older one is taken in its place.',
    'The second summary is written as `/compaction` would write it if it cut the branch where the agent did, from the same messages and with the summary before it. If the agent kept nothing, no turn is divided. Prepared summaries are not used. Hooks run as for a preparation.',
    'A fact occurs once, with at most 20 entries; of each kind, the newest 200 are compared. Open items are those with the state `open` that are not older than the last answered request. Commands are compared by their parts: `cd app && npm test | tail` is `npm test`. Commands that only look, and code for an interpreter, are none.',
    'A summary has a *request*, a *demand* or an *open item* if it has its first 60 characters, or if a line or two neighbouring ones share 60 % of its words. A *file*: its name, with its folder if several files have the name. A *command*: its first 60 characters, and no longer word. An *error*: the first 40 letters and digits of its longest part between colons. A *number*: the same digits. A *commit*: seven characters of its hash, or its subject.',
    'Of both summaries, the first 131,072 characters are read, with their file tags.',
  ),
  tag: 'compaction',
  query: ComparisonQuerySchema,
  body: { name: 'Comparison', forms: COMPARISON_FORMS, ownExample: 'The agent has compacted its session itself' },
  reply: ComparisonReplySchema,
  problems: [...SUMMARY_PROBLEMS, 'nothing-to-compare'],
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
}
