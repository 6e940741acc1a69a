import { Type } from '@sinclair/typebox'
import { CompactionReplySchema } from '../../schemas/compaction-reply.ts'
import { COMPACTION_FORMS } from '../../schemas/compaction-request.ts'
import { CompactionQuerySchema } from '../../schemas/provenance.ts'
import { ReplyQuerySchema } from '../../schemas/reply-form.ts'
import { SUMMARY_PROBLEMS, withRules } from '../shared/describe-route.ts'
import { CALLED_BY_AGENTS, type UseCase } from '../use-case.ts'

/** `POST /compaction`: returns a checked summary of a session, of messages, of a transcript or for a client's own prompt. */
export const compaction: UseCase = {
  path: '/compaction',
  operationId: 'compact',
  summary: 'Compact a session',
  description: withRules(
    'The body has exactly one of the fields `entries`, `messages`, `session`, `conversation` and `prompt`, which selects its form, or it is a session file. The query parameters are for session files: in the other forms, they are fields of the body, but for `reply`, `maxChars`, `part`, `newSession`, `include` and `candidate`, which are always parameters.\n\nWhat is written back (`reply=native`, `native`, `history`) follows these rules:',
    '**Modes.** `append`: the body goes to the end of the session file; it begins with a line feed if the posted body does not end with one. `replace`: it replaces the file, or the list. `sidecar`: it is a file of its own.',
    "**Kept elements** come back byte for byte, and with their secrets, since they are the agent's own. Only whole elements can be kept: if the cut is inside one, the cut before it counts. A message of `ai-ui` may stay from one of its steps (`step-start`) on. Where the agent finds kept messages by their ids (`claude-code`, `opencode`, `pi`), or those that it forgets (OpenHands), only ids are written. Copies of kept steps in ATIF have new numbers, and are marked as copied.",
    '**New lines** copy working directory, session id, version, branch, user type, model, provider and agent from the session (texts of at most 4,096 characters). Their time is that of the request, or of the newest kept message if that is later. Their ids are hashes.',
    '**The summary** has no control tags of the agent: in `<system-reminder>`, `</summary>`, `<state_snapshot>` and the like, `<` becomes `&lt;`. The JSON field `summary` stays as it is.',
    "**Lists of messages:** system and developer messages before the cut stay. The roles alternate: if the first kept message is the user's, a short answer of the assistant is before it. Encrypted reasoning stays with its answer. When such a list is posted again, its summary is read as a compaction.",
    '**Tokens.** With `native` or `history`, `tokensAfter` also counts what is kept before the cut. Until the agent has answered, no usage of the new context is known, and `tokensOutside` is 0. 422 `nothing-gained` if `tokensAfter` is not below `tokensBefore` - `tokensOutside`.',
    '**422 `no-native-form`**, whose `detail` says what to do: a bare rollout of Codex (2025); a file without the fields that the agent needs; a `leafId` inside a session of opencode, Cline, OpenHands or version 1 of pi; the conversation and prompt forms; `history` for a format that is no list; sessions in which the agent would not read exactly the summary and the kept messages (a pending `/undo` of opencode, ids that do not name one message); and a part that would be written again and is not UTF-8.',
    "**`reply=native` and `reply=text`** send neither events nor spaces (`PRECIS_HEARTBEAT_MS`). Errors are JSON with their status. `reply=text` of the same request is the same text as long as the model's answer is cached (`PRECIS_CACHE_TTL_MS`), and always without a model. `X-Precis-Summary` is a hash of the whole text.",
    '**`summary`** replaces the texts of both spans, and is returned byte for byte, secrets included. `report` has the model and strategy `caller`, no calls, and the findings of all checks.',
    '**A new session** (`reply=FORMAT`, `newSession=FORMAT`) can be made of a session of any format. A prompt and a transcript have no messages to continue with: 422 `no-native-form`. A session file begins with a compaction, as that agent writes one; a list of messages with a message of the user that has the summary in `<summary>` tags and, in `anthropic` and `chat` where the roles must alternate, a short answer. Both are recognized when the list is posted again.',
    '**Kept messages** follow in their order, whole and unredacted. Each call has its result (an error if there was none, except in `pi` and `atif`), and no two calls have the same id; ids and names that an API would reject are replaced. A result without a call is left out. Tools keep their names. In `anthropic`, the roles alternate, and results are the first blocks of the message after their calls.',
    '**Not carried:** thinking, where the provider wants its signature (`claude-code`, `codex`, `anthropic`, `responses`) or has no field for it (`chat`); token counts; images without data, in results of formats with text only, and in `atif` (`[image]` is in their place); errors with which an answer ended, except in `claude-code`, `opencode` and `pi`; in `chat` whether a tool failed. Exit statuses are fields, or a line of the output. `report.ignored.notCarried` counts what is not carried; a session that is sent alone has it in the header `X-Precis-Not-Carried`, as a dictionary of RFC 9651: `usage=2, thinking=1`.',
    'The folder of the project is that of the posted session, or `/`. Ids are hashes of the content, the time and the size of the body. A model that is not known is `unknown`.',
  ),
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
