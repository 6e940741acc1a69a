import { RECALL_FORMS, RecallReplySchema } from '../../schemas/recall.ts'
import { SESSION_PROBLEMS } from '../shared/problems.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /recall`: looks up what compactions have replaced, without a model. */
export const recall: UseCase = {
  path: '/recall',
  operationId: 'recall',
  summary: 'Look up what a compaction replaced',
  tag: 'session',
  body: { name: 'Recall', forms: RECALL_FORMS },
  reply: RecallReplySchema,
  problems: SESSION_PROBLEMS,
  isQueued: false,
  load: async () => (await import('./work.ts')).default,
}
