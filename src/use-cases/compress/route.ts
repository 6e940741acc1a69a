import { Type } from '@sinclair/typebox'
import { CompressReplySchema, CompressRequestSchema } from '../../schemas/compress.ts'
import { Nullish, Text } from '../../schemas/typebox.ts'
import { CHAT_PROBLEMS } from '../shared/problems.ts'
import type { UseCase } from '../use-case.ts'
import { openCompressor } from './compressor.ts'

/** Problems of a summary: this use case replies without it. */
const OF_SUMMARIES = ['nothing-to-compact', 'compaction-cancelled', 'model-misconfigured', 'model-failed']

/** `POST /v1/compress`: Headroom's contract, messages in and messages out. Gateways call it before each model request. */
export const compress: UseCase = {
  path: '/v1/compress',
  operationId: 'compressMessages',
  summary: 'Shorten the messages of a model request',
  description:
    'Below 80 % of the limit, the messages come back unchanged. Above the limit, a summary replaces the older ones. It is ' +
    'prepared in the background, so that no request waits for it. An equal beginning gets an equal summary.',
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
