import { PREPARE_FORMS, PrepareReplySchema } from '../../schemas/prepare.ts'
import { SESSION_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'
import { openPreparation } from './open.ts'

/** `POST /compaction/prepare`: writes the summary of a session in the background, for a later compaction. */
export const prepareCompaction: UseCase = {
  path: '/compaction/prepare',
  operationId: 'prepareCompaction',
  summary: 'Prepare a compaction',
  description: withRules(
    'Plans, replies with 202, and writes the summary in the background. A later `POST /compaction` of the same caller uses it: at once, or as its earlier summary. If there is nothing to prepare, the reply is 200 and has the reason. The cut is that of the same request to `/compaction/plan`. 503 `overloaded` if the bodies of all preparations together have no room.',
    'A prepared summary is used by the same caller only, for 24 hours, and only if its covered messages are the beginning of the messages that the compaction would summarize: the same ids, roles, texts and calls, after the same previous summary. A tool output that was cleared since counts as the same, an altered one does not.',
    'What shapes a summary must be the same: `reserveTokens`, `transcriptTokens`, `style`, `customInstructions`, `promptOverride`, `context`, the models, the prompts, what hooks add to them, and `PRECIS_MAX_SUMMARY_TOKENS`, `PRECIS_TRANSCRIPT_TOKENS` and `PRECIS_REDACT` of the service. `keepRecentTokens`, thresholds and the form of the reply may differ.',
    "Used whole, the compaction has the cut of the preparation. It keeps at most one *step* more than this request would, and the context after it is below the threshold. A step is 15 % of the agent's window (`contextWindow`); if the request names none, of `thresholdTokens`; without both, of `contextTokens`. Otherwise, a model reads only what came after it.",
    "At use, the newest request, the user's messages and demands, evidence, file lists, redaction and the native form are made from the session of this request. All requests with `maxChars` for the same session and settings use the same prepared summary, or none, for ten minutes. The plan and a compaction with the same body choose alike, unless a preparation begins or ends between them.",
    'A preparation that fails, and a replica that ends, cost no request: a compaction that waits for one then writes its own summary. One whose turn has not come in another replica is waited for by compactions with `"prepared": "only"` alone; others write their own after a second. After a failure, it is not tried again for `PRECIS_DEADLINE_MS`.',
  ),
  tag: 'compaction',
  body: { name: 'Prepare', forms: PREPARE_FORMS },
  reply: PrepareReplySchema,
  acceptedDescription: 'The summary is being written.',
  problems: SESSION_PROBLEMS.filter((type) => !['nothing-to-compact', 'compaction-cancelled'].includes(type)),
  isQueued: false,
  usesPrepared: true,
  open: openPreparation,
  load: async () => (await import('./work.ts')).default,
}
