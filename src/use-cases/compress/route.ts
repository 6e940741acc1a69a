import { Type } from '@sinclair/typebox'
import { CompressReplySchema, CompressRequestSchema } from '../../schemas/compress.ts'
import { Nullish, Text } from '../../schemas/typebox.ts'
import { CHAT_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'
import { openCompressor } from './compressor.ts'

/** Problems of a summary: this use case replies without it. */
const OF_SUMMARIES = ['nothing-to-compact', 'compaction-cancelled', 'model-misconfigured', 'model-failed']

/** `POST /v1/compress`: Headroom's contract, messages in and messages out. Gateways call it before each model request. */
export const compress: UseCase = {
  path: '/v1/compress',
  operationId: 'compressMessages',
  summary: 'Shorten the messages of a model request',
  description: withRules(
    "Headroom's contract: a gateway sends the messages of each model request, of OpenAI's chat API or of Anthropic's API, and sends on what it gets back. The summary is prepared in the background, so that no request waits for it.",
    'The limit is `token_budget`, else `PRECIS_COMPRESS_TOKENS`, in tokens as this service estimates them. The returned messages never exceed it.',
    '**Below 80 % of the limit**, the messages come back byte for byte. **From 80 % on**, a summary is written in the background, as a job of the caller with the time limit of a request. If it fails, the next one starts after that time limit at the earliest.',
    '**Above the limit**, the reply has the instructions (roles `system` and `developer`), one message of the user with the summary, and the newest messages byte for byte. If no summary is ready, the request waits for at most `PRECIS_COMPRESS_WAIT_MS`, by default not at all, and then gets that of the embedded summarizer. A summary of an earlier reply at the beginning is updated.',
    "A cut leaves about 30 % of the limit for the newest messages, and the summary has at most 20 %. A call stays with its results. A conversation keeps its cut until it exceeds the limit again: until then, the same messages begin the reply, byte for byte, so that the provider's cache of the prefix stays valid.",
    'A cut is found by the service token and by the hash of all messages before it, never by `session_id`. Instructions and `cache_control` do not count: many clients change them from turn to turn. Cuts are stored for 24 hours after their last use, in the process (64 MiB; the least recently used one is removed first) and, with `PRECIS_REDIS_URL` and `PRECIS_STORE_KEY`, in Redis.',
    '**A newest message that leaves no room** (a message, or a call with its results, of more than 15/16 of the limit without the instructions) comes back without the middle of its longest texts, with a note there, so that it takes half of that room. The same message is shortened in the same way on each turn. A summary of it is made from the whole message.',
    'Only if the instructions leave no room for a summary of 64 tokens, or the newest message is too large without any text (images), the reply is 413 `prompt-too-large`. A gateway then decides by its own setting (LiteLLM: `unreachable_fallback: fail_open`, Kong: `stop_on_error: false`).',
    '`X-Headroom-Bypass: true` returns the messages unchanged, whatever their size. What this service writes never contains `hash=` followed by 24 hexadecimal digits, at which LiteLLM would add a tool. Secrets are replaced in summaries. In messages that come back they are not: they are what the model is meant to see.',
  ),
  tag: 'compaction',
  security: [{ bearer: [] }, { headroomToken: [] }, { headroomProxyToken: [] }, {}],
  headers: Type.Object({
    'x-headroom-bypass': Nullish(Text('`true`: the messages come back unchanged.')),
  }),
  body: CompressRequestSchema,
  reply: CompressReplySchema,
  problems: CHAT_PROBLEMS.filter((type) => !OF_SUMMARIES.includes(type)),
  isQueued: false,
  open: openCompressor,
  load: async () => (await import('./work.ts')).default,
}
