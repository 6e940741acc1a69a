import { Type } from '@sinclair/typebox'
import { CompactionReplySchema } from '../../schemas/compaction-reply.ts'
import { COMPACTION_FORMS } from '../../schemas/compaction-request.ts'
import { CompactionQuerySchema } from '../../schemas/provenance.ts'
import { ReplyQuerySchema } from '../../schemas/reply-form.ts'
import { SUMMARY_PROBLEMS } from '../shared/problems.ts'
import { CALLED_BY_AGENTS, type UseCase } from '../use-case.ts'

/** `POST /compaction`: returns a checked summary of a session, of messages, of a transcript or for a client's own prompt. */
export const compaction: UseCase = {
  path: '/compaction',
  operationId: 'compact',
  summary: 'Compact a session',
  description:
    'The body has exactly one of the fields `entries`, `messages`, `session`, `conversation` and `prompt`, which selects its form, or it is a session file. The query parameters are for session files: in the other forms, they are fields of the body.',
  tag: 'compaction',
  query: Type.Composite([ReplyQuerySchema, CompactionQuerySchema]),
  body: { name: '', forms: COMPACTION_FORMS },
  reply: CompactionReplySchema,
  problems: [...SUMMARY_PROBLEMS, 'not-prepared'],
  ...CALLED_BY_AGENTS,
  isQueued: true,
  usesPrepared: true,
  load: async () => (await import('./work.ts')).default,
}
