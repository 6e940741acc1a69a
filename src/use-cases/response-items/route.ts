import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Problem } from '../../errors.ts'
import {
  ItemStyleSchema,
  ResponsesCompactReplySchema,
  ResponsesCompactRequestSchema,
  type ItemStyle,
} from '../../schemas/responses.ts'
import { Nullish } from '../../schemas/typebox.ts'
import { CHAT_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { HeadersAndQuery, UseCase } from '../use-case.ts'

const COMPACT_ITEMS = {
  summary: 'Compact items of OpenAI responses',
  description: withRules(
    'Replaces a conversation by the next input.',
    "The reply is the next input: the newest messages of the user as they came, up to 20,000 tokens, and then the summary of everything, which does not quote these messages again. Messages that Codex writes in the user's role, and those of the system, are left out: clients send them again.",
    '`items` is the style of the summary: the query parameter `items`, else the header `X-Precis-Items`, else the prefix `/messages` of the path. Without a choice it is `messages` for Codex (by `User-Agent` or `originator`) and the OpenAI Agents SDK (`User-Agent: Agents/...`), because they send the items to other servers, and `compaction` for all other clients.\n  - `compaction`: an item whose `encrypted_content` is base64url of `{"type": "precis_compaction", "version": 1, "summary"}`. It is not encrypted, and only this service reads it.\n  - `messages`: a message of the user that begins with `Summary of the earlier conversation, which this message replaces:`.',
    'In a later request, both are an earlier compaction, on all routes that read items of the Responses API. Of the items before it, only messages of the user count. A compaction item of another service counts as absent.',
  ),
  tag: 'compaction',
  body: ResponsesCompactRequestSchema,
  reply: ResponsesCompactReplySchema,
  problems: CHAT_PROBLEMS,
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
  render(json: Buffer) {
    const id = randomUUID().replaceAll('-', '')
    const created = Math.floor(Date.now() / 1000)
    const head = `{"id":"resp_${id}","object":"response.compaction","created_at":${created},`
    return { json: Buffer.concat([Buffer.from(head), json.subarray(1)]) }
  },
} as const

const StyleSchema = Nullish(ItemStyleSchema)

/** `POST /v1/responses/compact`: summarizes items of the Responses API. */
export const responseItems: UseCase = {
  ...COMPACT_ITEMS,
  path: '/v1/responses/compact',
  operationId: 'compactResponse',
  query: Type.Object({ items: StyleSchema }),
  headers: Type.Object({ 'x-precis-items': StyleSchema }),
  readModes: (request) => ({ items: readItemStyle(request) }),
}

/** `POST /messages/v1/responses/compact`: the same, for clients that can set nothing but a base URL. */
export const responseItemsAsMessages: UseCase = {
  ...COMPACT_ITEMS,
  path: '/messages/v1/responses/compact',
  operationId: 'compactResponseToMessages',
  readModes: () => ({ items: 'messages' }),
}

/** Clients that send the items to other servers, which cannot read ours: Codex 0.120, the OpenAI Agents SDK 0.20. */
const SENDS_ITEMS_ELSEWHERE = /^(?:codex[_\w-]*(?:\/|$)|Agents\/(?:JavaScript|Python))/i

/** Returns the style of the items: the caller's choice, or that of a known client. @throws Problem for an unknown style */
function readItemStyle({ query, headers }: HeadersAndQuery): ItemStyle {
  const chosen = query['items'] ?? headers['x-precis-items']
  if (chosen === 'compaction' || chosen === 'messages') return chosen
  if (chosen !== undefined)
    throw new Problem(
      'invalid-request',
      'The style of the items (`items`, X-Precis-Items) must be compaction or messages.',
      {
        faults: [{ pointer: '/items', detail: 'must be "compaction" or "messages"' }],
      },
    )
  const names = [headers['user-agent'], headers['originator']]
  return names.some((name) => SENDS_ITEMS_ELSEWHERE.test(String(name ?? ''))) ? 'messages' : 'compaction'
}
