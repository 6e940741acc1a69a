import { Problem } from '../errors.ts'
import type { ItemStyle } from '../pipelines/compact-items.ts'
import type { ChatRequest } from '../pipelines/complete-chat.ts'
import { recognizeCompaction, type PipelineChoice } from '../pipelines/recognize-compaction.ts'
import type { ChatCompletionRequest } from '../schemas/chat-completion.ts'
import type { ResponsesCompactRequest, ResponsesRequest } from '../schemas/responses.ts'
import { fieldsOf } from '../session/entry.ts'
import { RESPONSES } from '../session/formats/responses.ts'
import { readChat } from '../session/read-chat.ts'
import { readItems } from '../session/read-items.ts'
import { prepareRequest, type Step, type StepOptions } from './steps.ts'

/** What the headers of a request have chosen, on the routes of other APIs. */
export interface RequestModes {
  pipeline?: PipelineChoice
  items?: ItemStyle
}

type Options = StepOptions & { modes?: RequestModes | undefined }

/** Starts `POST /v1/chat/completions`. @throws Problem */
export function startCompletion(fields: ChatCompletionRequest, options: Options): Step {
  return startChat(
    {
      messages: readChat(fields.messages),
      maxTokens: fields.max_completion_tokens ?? fields.max_tokens,
      isStream: fields.stream === true,
      includeUsage: fields.stream_options?.include_usage === true,
    },
    options,
  )
}

/** Starts `POST /v1/responses`. @throws Problem */
export function startResponse(fields: ResponsesRequest, options: Options): Step {
  const items = itemsOf(fields)
  const { instructions, max_output_tokens: maxTokens } = fields
  const isStream = fields.stream === true
  if (fieldsOf(items.at(-1))['type'] === 'compaction_trigger')
    return prepareRequest('items', { items, style: 'compaction', isTrigger: true, isStream, maxTokens }, options)
  const system = instructions ? [{ role: 'system' as const, text: instructions }] : []
  const messages = [...system, ...readItems(items, RESPONSES)]
  return startChat({ messages, maxTokens, isStream, includeUsage: false }, options)
}

/** Starts `POST /v1/responses/compact`. @throws Problem */
export function startItems(fields: ResponsesCompactRequest, options: Options): Step {
  const style = options.modes?.items ?? 'compaction'
  return prepareRequest('items', { items: itemsOf(fields), style, isTrigger: false, isStream: false }, options)
}

/** A chat that asks for its compaction goes through the pipeline, any other one to the model. */
function startChat(request: ChatRequest, options: Options): Step {
  const asked = recognizeCompaction(request.messages, options.modes?.pipeline ?? 'auto')
  return asked === undefined
    ? prepareRequest('chat', request, options)
    : prepareRequest('chat-compaction', { ...request, ...asked }, options)
}

/** Returns the items of a request. @throws Problem if it has none, or refers to a response that is stored elsewhere */
function itemsOf({
  input,
  previous_response_id: previousId,
}: Pick<ResponsesRequest, 'input' | 'previous_response_id'>) {
  if (typeof previousId === 'string')
    throw wrongField('/previous_response_id', 'must be null: this service stores no responses', 'as `input`')
  if (input === undefined || input === null) throw wrongField('/input', 'is required', 'as a text or as items')
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
}

const wrongField = (pointer: string, detail: string, how: string): Problem =>
  new Problem('invalid-request', `Send the whole conversation ${how}.`, { faults: [{ pointer, detail }] })
