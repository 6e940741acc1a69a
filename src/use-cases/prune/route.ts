import { PRUNE_FORMS, PruneReplySchema } from '../../schemas/prune.ts'
import { SESSION_PROBLEMS } from '../shared/problems.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /prune`: removes old tool outputs from a session, without a model. */
export const prune: UseCase = {
  path: '/prune',
  operationId: 'prune',
  summary: 'Prune old tool outputs',
  tag: 'session',
  body: { name: 'Prune', forms: PRUNE_FORMS },
  reply: PruneReplySchema,
  problems: SESSION_PROBLEMS,
  isQueued: false,
  load: async () => (await import('./work.ts')).default,
}
