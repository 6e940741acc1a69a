import { PRUNE_FORMS, PruneReplySchema } from '../../schemas/prune.ts'
import { SESSION_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /prune`: removes old tool outputs from a session, without a model. */
export const prune: UseCase = {
  path: '/prune',
  operationId: 'prune',
  summary: 'Prune old tool outputs',
  description: withRules(
    'Removes old tool outputs from a session. It calls no model. Pruning is cheaper than a compaction, so an agent can try it first.',
    'It keeps the newest `protectTokens` of tool output, outputs of `protectedTools`, outputs under 50 tokens, and outputs that are already pruned.',
    'If a later read has shown the whole file again, the older read is pruned whatever its age, unless the request itself names `read` in `protectedTools`.',
    'All other entries are returned byte for byte, without the white space between them.',
    'With `native`, a session file of Claude Code, Codex, pi or oh-my-pi comes back whole, and only its lines with pruned outputs differ. Other sessions are 422 (`no-native-form`).',
  ),
  tag: 'session',
  body: { name: 'Prune', forms: PRUNE_FORMS },
  reply: PruneReplySchema,
  problems: SESSION_PROBLEMS,
  isQueued: false,
  load: async () => (await import('./work.ts')).default,
}
