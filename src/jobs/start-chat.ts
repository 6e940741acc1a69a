import { Problem, type Fault } from '../errors.ts'
import { invalidBody } from '../ingest/compile-validator.ts'
import type { ChatRequest } from '../use-cases/chat/complete-chat.ts'
import {
  applyCut,
  surveyMessages,
  type AppliedCut,
  type ReadMessages,
  type SurveyOptions,
} from '../use-cases/compress/compress-messages.ts'
import { recognizeCompaction, type PipelineChoice } from '../use-cases/chat/recognize-compaction.ts'
import type { PrefixSummary } from '../use-cases/compress/summarize-prefix.ts'
import type { MessagesRequest } from '../schemas/anthropic.ts'
import type { ChatCompletionRequest } from '../schemas/chat-completion.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { ItemStyle, ResponsesCompactRequest, ResponsesRequest } from '../schemas/responses.ts'
import { fieldsOf } from '../session/entry.ts'
import { takeSummary } from '../agents/earlier-summary.ts'
import { anthropicReader } from '../agents/apis/anthropic.ts'
import { responsesReader } from '../agents/apis/responses.ts'
import type { Message } from '../session/message.ts'
import { readChat } from '../agents/apis/read-chat.ts'
import { readItems } from '../agents/apis/read-items.ts'
import { refuseOptions } from './refuse-options.ts'
import { prepareRequest, type Step, type StepOptions } from './steps.ts'

/** What a request for another API wants, apart from its body. */
export interface RequestModes {
  pipeline?: PipelineChoice
  items?: ItemStyle
  compress?: CompressStep
}

/** What a job does with the messages of `POST /v1/compress`. */
export type CompressStep =
  | ({ kind: 'survey' } & SurveyOptions)
  | ({ kind: 'summarize' } & Omit<PrefixSummary, 'fields'>)
  | ({ kind: 'apply' } & AppliedCut)

type Options = StepOptions & { modes?: RequestModes | undefined }

/** Starts `POST /v1/chat/completions`. @throws Problem */
export function startCompletion(fields: ChatCompletionRequest, options: Options): Step {
  refuseOptions(fields)
  return startChat(
    {
      list: 'messages',
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
  refuseOptions(fields)
  const items = itemsOf(fields)
  const { instructions, max_output_tokens: maxTokens } = fields
  const isStream = fields.stream === true
  if (fieldsOf(items.at(-1))['type'] === 'compaction_trigger')
    return prepareRequest('items', { items, style: 'compaction', isTrigger: true, isStream, maxTokens }, options)
  const system = instructions ? [{ role: 'system' as const, text: instructions }] : []
  const messages = [...system, ...readItems(items, responsesReader)]
  return startChat({ list: 'input', messages, maxTokens, isStream, includeUsage: false }, options)
}

/** Starts `POST /v1/responses/compact`. @throws Problem */
export function startItems(fields: ResponsesCompactRequest, options: Options): Step {
  refuseOptions(fields)
  const style = options.modes?.items ?? 'compaction'
  return prepareRequest('items', { items: itemsOf(fields), style, isTrigger: false, isStream: false }, options)
}

/** Starts `POST /v1/messages`. @throws Problem `not-found` for a request that does not ask for a compaction */
export function startMessages(fields: MessagesRequest, options: Options): Step {
  const wish = findWish(fields)
  if (wish === undefined) throw new Problem('not-found', NO_COMPACTION)
  refuseOptions(fields)
  const { chat, covered, summary: previousSummary } = takeSummary(readItems(fields.messages, anthropicReader))
  const messages = chat.filter((message): message is Message => message.role !== 'system')
  const asked = { messages, covered, previousSummary, instructions: wish.instructions ?? '' }
  return prepareRequest(
    'chat-compaction',
    { ...asked, list: 'messages', maxTokens: fields.max_tokens, isStream: fields.stream === true, includeUsage: false },
    options,
  )
}

/** Starts a job of `POST /v1/compress`. */
export function startCompress(request: ReadMessages, options: Options): Step {
  const step = options.modes?.compress
  if (step === undefined) throw new Error('A job of /v1/compress needs its step.')
  if (step.kind === 'summarize') return prepareRequest('prefix', { fields: request.fields, ...step }, options)
  const { reply, ...compressed } = step.kind === 'survey' ? surveyMessages(request, step) : applyCut(request, step)
  return { kind: 'reply', reply, compressed }
}

const NO_COMPACTION =
  'This route answers only requests for a compaction: with `compaction: {"type": "summarize"}`, or with an edit ' +
  '`compact_20260112` in `context_management` that has `pause_after_compaction: true`. Send other requests to the server of the model.'

/** Returns how a request asks for a compaction (betas `compact-2026-09-04` and `compact-2026-01-12`). */
function findWish({ compaction, context_management: management }: MessagesRequest) {
  if (compaction?.type === 'summarize') return compaction
  return management?.edits?.find(
    ({ type, pause_after_compaction: isPaused }) => type === 'compact_20260112' && isPaused === true,
  )
}

/** A chat that asks for its compaction goes through the pipeline, any other one to the model. */
function startChat(request: ChatRequest, options: Options): Step {
  const asked = recognizeCompaction(request.messages, options.modes?.pipeline ?? 'auto')
  return asked === undefined
    ? prepareRequest('chat', request, options)
    : prepareRequest('chat-compaction', { ...request, ...asked, isAskedInChat: true }, options)
}

/**
 * Returns the items of a request.
 * @throws Problem if it has none, if a message has an unknown role, or if it refers to a response that is stored elsewhere
 */
function itemsOf({
  input,
  previous_response_id: previousId,
}: Pick<ResponsesRequest, 'input' | 'previous_response_id'>) {
  if (typeof previousId === 'string')
    throw wrongField(
      '/previous_response_id',
      'must be null: this service stores no responses',
      `as \`input\`${AGENTS_SDK}`,
    )
  if (input === undefined || input === null)
    throw wrongField('/input', 'is required', `as a text or as items${AGENTS_SDK}`)
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  const faults = input.flatMap((item, index) => (hasUnknownRole(item) ? [roleFault(item, index)] : []))
  if (faults.length > 0) throw invalidBody(faults.slice(0, MAX_FAULTS))
  return input
}

/** The default of `OpenAIResponsesCompactionSession` (@openai/agents 0.20) sends only the id of a response. */
const AGENTS_SDK = " (in OpenAI's Agents SDK: `compactionMode: 'input'`)"

/** The roles of messages in OpenAI's Responses API (its reference, "Create a model response": `EasyInputMessage`). */
const ITEM_ROLES = ['user', 'assistant', 'system', 'developer']

/**
 * Returns whether an item is a message that the model would never read. Items of an unknown type are no messages: newer clients
 * may send some. A message needs no type, and a reference to an item (`{"id": ...}`) has none either.
 */
function hasUnknownRole({ type, role, content }: Readonly<Record<string, unknown>>): boolean {
  const isMessage = type === 'message' || ((type ?? undefined) === undefined && (role ?? content) !== undefined)
  return isMessage && !ITEM_ROLES.some((one) => one === role)
}

const roleFault = ({ role }: Readonly<Record<string, unknown>>, index: number): Fault => ({
  pointer: `/input/${index}/role`,
  detail: role === undefined ? 'is required' : `must be ${ITEM_ROLES.map((one) => `"${one}"`).join(' or ')}`,
})

const wrongField = (pointer: string, detail: string, how: string): Problem =>
  new Problem('invalid-request', `Send the whole conversation ${how}.`, { faults: [{ pointer, detail }] })
