import { CONTEXT_FORMS, ContextReplySchema } from '../../schemas/context.ts'
import { SESSION_PROBLEMS } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /context`: returns the messages of a session that a model sees now. */
export const context: UseCase = {
  path: '/context',
  operationId: 'rebuildContext',
  summary: 'Rebuild the context of a session',
  description:
    'Returns the messages that the model sees now: the latest summary, the messages that stayed, and all later messages, one for each entry that has a message. It calls no model.',
  tag: 'session',
  body: { name: 'Context', forms: CONTEXT_FORMS },
  reply: ContextReplySchema,
  problems: SESSION_PROBLEMS,
  isQueued: false,
  load: async () => (await import('./work.ts')).default,
}
