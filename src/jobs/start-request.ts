import { Problem } from '../errors.ts'
import { compileValidator } from '../ingest/compile-validator.ts'
import { readInclude } from '../ingest/read-query.ts'
import { readingOf, readRawMessage, readRequest, type ReceivedBody } from '../ingest/read-request.ts'
import type { CompactionParts } from '../use-cases/compaction/origins.ts'
import { planSession } from '../use-cases/plan/plan-session.ts'
import { pruneSession } from '../use-cases/prune/prune-session.ts'
import { readReplyQuery } from '../use-cases/compaction/render-reply.ts'
import { requestReport, type PromptAdditions, type ReadingNotes } from '../use-cases/shared/services.ts'
import { buildContext } from '../plan/region.ts'
import { MessagesRequestSchema, type MessagesRequest } from '../schemas/anthropic.ts'
import { BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { ChatCompletionRequestSchema, type ChatCompletionRequest } from '../schemas/chat-completion.ts'
import { COMPACTION_PARTS } from '../schemas/provenance.ts'
import { COMPACTION_FORMS } from '../schemas/compaction-request.ts'
import { CompressRequestSchema, type CompressRequest } from '../schemas/compress.ts'
import { CONTEXT_FORMS } from '../schemas/context.ts'
import { HANDOFF_FORMS } from '../schemas/handoff.ts'
import { PLAN_FORMS, PLAN_PARTS } from '../schemas/plan.ts'
import { PRUNE_FORMS } from '../schemas/prune.ts'
import type { NewSessionFormat } from '../schemas/reply-form.ts'
import { ResponsesCompactRequestSchema, ResponsesRequestSchema } from '../schemas/responses.ts'
import type { Session } from '../session/entry.ts'
import { selectBranch } from '../session/link-session.ts'
import {
  startCompletion,
  startCompress,
  startItems,
  startMessages,
  startResponse,
  type RequestModes,
} from './start-chat.ts'
import { prepareRequest, type PipelineName, type ReplyStep, type Step, type StepOptions } from './steps.ts'

/** Reads the request of a route, and does all of its work up to a model call. @throws Problem */
export const startRequest = (
  route: RouteName,
  body: ReceivedBody,
  { additions, ...options }: StartOptions & { additions?: PromptAdditions },
): Step =>
  ROUTES[route](body, additions === undefined ? options : { ...options, services: { ...options.services, additions } })

type StartOptions = StepOptions & { modes?: RequestModes | undefined }

type StartRoute = (body: ReceivedBody, options: StartOptions) => Step

const READINGS = {
  compaction: readingOf(COMPACTION_FORMS, false),
  handoff: readingOf(HANDOFF_FORMS, false),
  branch: {
    lists: ['entries' as const],
    isWhole: false,
    validate: compileValidator(BranchSummaryRequestSchema),
    entriesForm: BranchSummaryRequestSchema,
  },
  chat: { lists: [], isWhole: true, validate: compileValidator(ChatCompletionRequestSchema) },
  responses: { lists: [], isWhole: true, validate: compileValidator(ResponsesRequestSchema) },
  compact: { lists: [], isWhole: true, validate: compileValidator(ResponsesCompactRequestSchema) },
  messages: { lists: [], isWhole: true, validate: compileValidator(MessagesRequestSchema) },
  compress: { lists: [], isWhole: true, validate: compileValidator(CompressRequestSchema) },
  plan: readingOf(PLAN_FORMS, false),
  prune: readingOf(PRUNE_FORMS, true),
  context: readingOf(CONTEXT_FORMS, true),
}

/** The work of each route. It is synchronous: large requests run in a worker, where nothing else waits. */
const ROUTES = {
  compaction: startCompaction,
  handoff: (body, options) => startSession('handoff', readRequest(body, READINGS.handoff, options.services), options),
  'branch-summary': (body, options) =>
    startSession('branch', readRequest(body, READINGS.branch, options.services), options),
  // Replies in the formats of other APIs have no place for what was ignored.
  chat: (body, options) => {
    // Its `messages` are not read as those of a session, so they are still there.
    const fields: object = readRequest(body, READINGS.chat, options.services).fields
    return startCompletion(fields as ChatCompletionRequest, options)
  },
  responses: (body, options) => startResponse(readRequest(body, READINGS.responses, options.services).fields, options),
  'responses-compact': (body, options) =>
    startItems(readRequest(body, READINGS.compact, options.services).fields, options),
  messages: (body, options) => {
    const fields: object = readRequest(body, READINGS.messages, options.services).fields
    return startMessages(fields as MessagesRequest, options)
  },
  compress: (received, options) => {
    const fields: object = readRequest(received, READINGS.compress, options.services).fields
    return startCompress({ fields: fields as CompressRequest, body: received.body ?? NO_BODY }, options)
  },
  plan: (received, { services }) => {
    const { include, others: query } = readInclude(received.query, PLAN_PARTS)
    const request = readRequest({ ...received, query }, READINGS.plan, services)
    return replyWith(planSession({ ...request, include }, services))
  },
  prune: (body, { services }) => replyWith(pruneSession(readRequest(body, READINGS.prune, services), services)),
  context: (body, { services }) => {
    const { fields, session, source, ignored, format } = readRequest(body, READINGS.context, services)
    const branch = selectBranch(session, fields.leafId)
    const messages = buildContext(branch, (entry) => readRawMessage(source, entry))
    return replyWith({ messages, ...requestReport({ ignored, format }, services.redact) })
  },
} as const satisfies Record<string, StartRoute>

export type RouteName = keyof typeof ROUTES

function startCompaction({ query, ...body }: ReceivedBody, options: StepOptions): Step {
  const { include, others: rest } = readInclude(query, COMPACTION_PARTS)
  const { asked, others } = readReplyQuery(rest)
  const { newSession } = asked
  // The messages of a new session are needed whole.
  const reading = newSession === undefined ? READINGS.compaction : { ...READINGS.compaction, isWhole: true }
  const request = readRequest({ ...body, query: others }, reading, options.services)
  const isNative = asked.reply === 'native'
  if (request.session !== undefined) {
    const fields = isNative ? { ...request.fields, native: true } : request.fields
    return startSession('session', { ...request, fields, newSession, include }, { ...options, asked })
  }
  const { fields, ignored } = request
  if (isNative || newSession !== undefined) throw new Problem('no-native-form', NO_SESSION)
  const unread = include.size === 0 ? ignored : { ...ignored, query: { ...ignored?.query, include: 1 } }
  return prepareRequest('prompt' in fields ? 'prompt' : 'conversation', fields, { ...options, asked, ignored: unread })
}

const NO_SESSION =
  'A prompt or a transcript has no native form, and no messages for a new session. Send the session, or ask for `reply=text`.'

const startSession = (name: PipelineName, request: ReadSession, options: StepOptions): Step =>
  prepareRequest(name, request, { ...options, ignored: request.ignored, format: request.format })

/** A request without a body is refused by its schema. */
const NO_BODY = Buffer.alloc(0)

interface ReadSession extends ReadingNotes {
  fields: object
  session: Session
  newSession?: NewSessionFormat | undefined
  include?: CompactionParts
}

const replyWith = (reply: object): ReplyStep => ({ kind: 'reply', reply })
