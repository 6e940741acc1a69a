import { RECALL_FORMS, RecallReplySchema } from '../../schemas/recall.ts'
import { SESSION_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /recall`: looks up what compactions have replaced, without a model. */
export const recall: UseCase = {
  path: '/recall',
  operationId: 'recall',
  summary: 'Look up what a compaction replaced',
  description: withRules(
    'Looks up what compactions have replaced: the session still has it. It calls no model, and keeps nothing. Secrets are replaced before anything is searched. `matches` and `unknownTerms` together answer whether something was ever said or run. With a filter, both count only what passes it; `searched.note` says so, and what of the query is there without filters.',
    "Equal passages are one, the newest, with the others' ids in `copies`; case and white space do not count in words of the user and of the agent. So are those that say nearly the same, if they are outputs of an equal call (such as a plan that was read five times), the call with the same outcome, or summaries. A command that has failed and the same one that has passed are two, and so are passages with different words of the query.",
    'An edit of more than 3,000 characters is several passages: each has old and new text that belong together, and its `lead` says which file and which part of the edit it is.',
    'An entry whose id is a secret, or contains one, is named by its number instead, such as `redacted-id-12`; all fields take this name, as well as the whole id, but no beginning of it.',
    'What a client of Claude Code has shown to the model beside the messages (attached files, reminders, the output of its own commands), and the calls and thoughts of sub-agents that its file has, are found as `output`, `call` and `thinking`, at the entry that they follow; no summary covers them. Newer versions keep the work of a sub-agent in a file of its own: where one was called, `searched.note` says that only what this session has was searched.',
    'Look-ups of the agent itself are left out, since they repeat what they found: runs of `precis recall` in its shell, and calls of the tools of `precis mcp`. Where their ids are asked for, `searched.note` says so.',
    'A `conversation` is searched too: its messages have the ids `c0`, `c1` and so on, and a summary at its beginning has the id `summary`.',
  ),
  tag: 'session',
  body: { name: 'Recall', forms: RECALL_FORMS },
  reply: RecallReplySchema,
  problems: SESSION_PROBLEMS,
  isQueued: false,
  load: async () => (await import('./work.ts')).default,
}
