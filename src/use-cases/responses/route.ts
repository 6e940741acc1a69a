import { randomUUID } from 'node:crypto'
import {
  ResponseReplySchema,
  ResponsesRequestSchema,
  UNUSED_RESPONSE_FIELDS,
  type ResponseReply,
} from '../../schemas/responses.ts'
import {
  piecesOf,
  PipelineHeaderSchema,
  readCompleted,
  readChatModes,
  responsesUsage,
  type CompletedChat,
} from '../chat/completed-chat.ts'
import { CHAT_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /v1/responses`: as `/v1/chat/completions`, for clients of OpenAI's Responses API. */
export const responses: UseCase = {
  path: '/v1/responses',
  operationId: 'createResponse',
  summary: 'Summarize in the format of OpenAI responses',
  description: withRules(
    'As `POST /v1/chat/completions`, text in and text out.',
    'Text in, text out: `instructions` and items with the roles `system` and `developer` become the system prompt, all other items go to the model as the messages of a chat. The rules of `/v1/chat/completions` apply.',
    'Nothing is stored: `previous_response_id`, `conversation`, `prompt` and references to items (`item_reference`) are 400, as are a `text.format` of JSON, `background: true`, and `message.output_text.logprobs` in `include`.',
    'An input that ends with an item `compaction_trigger` is compacted as a whole. The reply has one item, of type `compaction`. Such an item of this service is a message with its summary for the model.',
  ),
  tag: 'compaction',
  headers: PipelineHeaderSchema,
  body: ResponsesRequestSchema,
  reply: ResponseReplySchema,
  events: 'With `stream`: the events of OpenAI’s Responses API, from `response.created` to `response.completed`.',
  problems: [...CHAT_PROBLEMS, 'no-model'],
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
  readModes: readChatModes,
  render(json) {
    const completed = readCompleted(json)
    const response = toResponse(completed)
    return completed.isStream ? { events: writeResponseEvents(response) } : { json: response }
  },
}

function toResponse({ text, item, report, usage }: CompletedChat): ResponseReply {
  const id = randomUUID().replaceAll('-', '')
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
