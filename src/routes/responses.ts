import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest, FastifySchema } from 'fastify'
import { Problem } from '../errors.ts'
import { EVENT_STREAM, sendJson, streamHeaders } from '../http/stream-reply.ts'
import { responsesUsage, type ItemStyle } from '../use-cases/chats/compact-items.ts'
import type { CompletedChat } from '../use-cases/chats/complete-chat.ts'
import {
  ResponseReplySchema,
  ResponsesCompactReplySchema,
  ResponsesCompactRequestSchema,
  ResponsesRequestSchema,
  UNUSED_RESPONSE_FIELDS,
  type ResponseReply,
} from '../schemas/responses.ts'
import { Nullish, oneOf } from '../schemas/typebox.ts'
import { runChat, piecesOf, PipelineHeaderSchema, setReport } from './run-chat.ts'
import { asJsonOrEvents, chatProblemResponses, itemProblemResponses } from './reply.ts'
import type { Route } from './route.ts'
import { runJob } from './run-job.ts'

const EVENTS = 'With `stream`: the events of OpenAI’s Responses API, from `response.created` to `response.completed`.'

/** `POST /v1/responses` and `/v1/responses/compact`: for clients of OpenAI's Responses API. */
export const responsesRoutes: Route = (services) => async (app) => {
  app.post('/v1/responses', { schema: RESPONSES_SCHEMA }, async (request, reply) => {
    const completed = await runChat('responses', { request, reply }, services)
    const response = toResponse(completed)
    if (!completed.isStream) return response
    return reply.headers(streamHeaders(EVENT_STREAM)).send(writeResponseEvents(response))
  })
  for (const [url, prefixStyle] of COMPACT_URLS)
    app.post(url, { schema: compactSchema(prefixStyle) }, async (request, reply) => {
      const modes = { items: prefixStyle ?? readItemStyle(request) }
      const body = await runJob('responses-compact', { request, budget: request.budget, modes }, services)
      setReport({ request, reply })
      const created = Math.floor(Date.now() / 1000)
      const head = `{"id":"resp_${randomHex()}","object":"response.compaction","created_at":${created},`
      return sendJson(reply, Buffer.concat([Buffer.from(head), body.subarray(1)]))
    })
}

const RESPONSES_SCHEMA: FastifySchema = {
  summary: 'Summarize in the format of OpenAI responses',
  description:
    'As `POST /v1/chat/completions`, text in and text out. An input that ends with a `compaction_trigger` item gets one ' +
    '`compaction` item.',
  tags: ['compaction'],
  headers: PipelineHeaderSchema,
  body: ResponsesRequestSchema,
  response: { 200: asJsonOrEvents(ResponseReplySchema, EVENTS), ...chatProblemResponses() },
}

/** The prefix selects the style for clients that can set nothing but a base URL. */
const COMPACT_URLS: readonly [url: string, style?: ItemStyle][] = [
  ['/v1/responses/compact'],
  ['/messages/v1/responses/compact', 'messages'],
]

const StyleSchema = Nullish(oneOf('compaction', 'messages'))

const compactSchema = (prefixStyle: ItemStyle | undefined): FastifySchema => ({
  summary: 'Compact items of OpenAI responses',
  description:
    'The reply is the next input: the newest messages of the user, and the summary, as a `compaction` item that this service ' +
    'reads again, or as a plain message (`items=messages`).',
  tags: ['compaction'],
  ...(prefixStyle === undefined && {
    querystring: Type.Object({ items: StyleSchema }),
    headers: Type.Object({ 'x-precis-items': StyleSchema }),
  }),
  body: ResponsesCompactRequestSchema,
  response: { 200: ResponsesCompactReplySchema, ...itemProblemResponses },
})

/** Clients that send the items to other servers, which cannot read ours: Codex 0.120, the OpenAI Agents SDK 0.20. */
const SENDS_ITEMS_ELSEWHERE = /^(?:codex[_\w-]*(?:\/|$)|Agents\/(?:JavaScript|Python))/i

/** Returns the style of the items: the caller's choice, or that of a known client. @throws Problem for an unknown style */
function readItemStyle({ query, headers }: FastifyRequest): ItemStyle {
  const chosen = (query as { items?: unknown }).items ?? headers['x-precis-items']
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

const randomHex = (): string => randomUUID().replaceAll('-', '')

function toResponse({ text, item, report, usage }: CompletedChat): ResponseReply {
  const id = randomHex()
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    model: report.model,
    output: [
      item ?? {
        id: `msg_${id}`,
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: responsesUsage(usage),
    ...UNUSED_RESPONSE_FIELDS,
  }
}

/** Returns a response as the events of a stream (OpenAI API reference, "Responses: streaming events"). */
function writeResponseEvents(response: ResponseReply): string {
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const [item] = response.output
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...(item === undefined ? [] : itemEvents(item)),
    { type: 'response.completed', response },
  ]
  return events
    .map((event, index) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`)
    .join('')
}

interface ResponseEvent {
  type: string
  [field: string]: unknown
}

function itemEvents(item: ResponseReply['output'][number]): ResponseEvent[] {
  const place = { output_index: 0 }
  if (item.type === 'compaction')
    return [
      { type: 'response.output_item.added', ...place, item },
      { type: 'response.output_item.done', ...place, item },
    ]
  const [part = { type: 'output_text', text: '', annotations: [] }] = item.content
  const textPlace = { ...place, item_id: item.id, content_index: 0 }
  return [
    { type: 'response.output_item.added', ...place, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...textPlace, part: { ...part, text: '' } },
    ...piecesOf(part.text).map((delta) => ({ type: 'response.output_text.delta', ...textPlace, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...textPlace, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...textPlace, part },
    { type: 'response.output_item.done', ...place, item },
  ]
}
