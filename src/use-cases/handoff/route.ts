import { HANDOFF_FORMS, HandoffReplySchema } from '../../schemas/handoff.ts'
import { SUMMARY_PROBLEMS } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /handoff`: returns the document with which a new session continues. */
export const handoff: UseCase = {
  path: '/handoff',
  operationId: 'writeHandoff',
  summary: 'Write a handoff document for a new session',
  description:
    'Writes one document from which a new session can continue without the old one. It covers everything that `/context` returns.',
  tag: 'compaction',
  body: { name: 'Handoff', forms: HANDOFF_FORMS },
  reply: HandoffReplySchema,
  problems: SUMMARY_PROBLEMS,
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
}
