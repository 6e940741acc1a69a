import { PREPARE_FORMS, PrepareReplySchema } from '../../schemas/prepare.ts'
import { SESSION_PROBLEMS } from '../shared/problems.ts'
import { CALLED_BY_AGENTS, type UseCase } from '../use-case.ts'
import { openPreparation } from './open.ts'

/** `POST /compaction/prepare`: writes the summary of a session in the background, for a later compaction. */
export const prepareCompaction: UseCase = {
  path: '/compaction/prepare',
  operationId: 'prepareCompaction',
  summary: 'Prepare a compaction',
  description:
    'Plans, replies with 202, and writes the summary in the background. A later `POST /compaction` of the same caller uses it: ' +
    'at once, or as its earlier summary. If there is nothing to prepare, the reply is 200 and has the reason.',
  tag: 'compaction',
  body: { name: 'Prepare', forms: PREPARE_FORMS },
  reply: PrepareReplySchema,
  acceptedDescription: 'The summary is being written.',
  problems: SESSION_PROBLEMS.filter((type) => !['nothing-to-compact', 'compaction-cancelled'].includes(type)),
  ...CALLED_BY_AGENTS,
  isQueued: false,
  usesPrepared: true,
  open: openPreparation,
  load: async () => (await import('./work.ts')).default,
}
