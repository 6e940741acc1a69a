import type { FastifyContextConfig } from 'fastify'
import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { Problem, PROBLEMS, type ProblemType } from '../errors.ts'
import { anthropicTypeOf, errorBody, errorTypeOf, type ErrorFormat } from '../http/error-format.ts'
import { PROBLEM_EXAMPLES } from '../schemas/problem-examples.ts'
import { AnthropicErrorSchema, ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'

const EVENTS =
  'For `Accept: text/event-stream`: the events `plan`, `progress` (`{done, total, phase}`), and finally `result` or `problem`. Their data is JSON.'

/**
 * The reply of a route that answers with JSON or with events (OpenAPI).
 * @param events when another API sends events, and which; its JSON replies have no spaces before them
 */
export const asJsonOrEvents = <T extends TSchema>(reply: T, events?: string) => ({
  description: `The result.${events === undefined ? ' With `PRECIS_HEARTBEAT_MS`, a JSON reply may begin with spaces.' : ''}`,
  content: {
    'application/json': { schema: reply },
    'text/event-stream': {
      schema: Type.String({ description: events ?? EVENTS }),
    },
  },
})

const FORMATS: Readonly<Record<ErrorFormat, { schema: TObject; others: string }>> = {
  problem: { schema: ProblemSchema, others: 'Another problem (RFC 9457).' },
  openai: { schema: ChatProblemSchema, others: 'Another problem (RFC 9457).' },
  anthropic: { schema: AnthropicErrorSchema, others: 'Another error in the format of Anthropic’s API.' },
}

/** Replies to requests that are not in the contract. */
const OF_OTHER_REQUESTS: readonly ProblemType[] = ['not-found', 'no-model', 'method-not-allowed', 'expectation-failed']
const OF_MODELS: readonly ProblemType[] = ['prompt-too-large', 'model-misconfigured', 'model-failed']
const OF_READS: readonly ProblemType[] = ['token-refused', 'foreign-origin', 'wrong-host']
const OF_LOAD: readonly ProblemType[] = ['rate-limited', 'internal', 'overloaded', 'draining']
/** Only sessions have these problems, not the conversations of other APIs. */
const OF_SESSIONS: readonly ProblemType[] = ['nothing-gained', 'no-native-form', 'unknown-format', 'invalid-session']
/** Problems of a summary: `POST /v1/compress` replies without it. */
const OF_SUMMARIES: readonly ProblemType[] = [
  'nothing-to-compact',
  'compaction-cancelled',
  'model-misconfigured',
  'model-failed',
]

const ALL = (Object.keys(PROBLEMS) as ProblemType[]).filter((type) => !OF_OTHER_REQUESTS.includes(type))
const WITHOUT_MODEL = ALL.filter((type) => !OF_MODELS.includes(type))
const OF_CHATS = ALL.filter((type) => !OF_SESSIONS.includes(type))

type Policy = Pick<FastifyContextConfig, 'tokenRefusedStatus'>

/** Returns the problems of a route with a model (OpenAPI), by status. */
export const problemResponses = (policy: Policy = {}): Record<string, ErrorResponse> =>
  responsesWith('problem', ALL, policy)

/** The problems of routes with a session that call no model. */
export const planProblemResponses = responsesWith('problem', WITHOUT_MODEL)

/** Returns the errors of routes without a body. */
export const readProblemResponses = (format: ErrorFormat): Record<string, ErrorResponse> =>
  responsesWith(format, OF_READS)

/** Returns the problems of a route of OpenAI's API that answers any chat; they also have its `error`. */
export const chatProblemResponses = (policy: Policy = {}): Record<string, ErrorResponse> =>
  responsesWith('openai', [...OF_CHATS, 'no-model'], policy)

/** Those of `POST /v1/responses/compact`. */
export const itemProblemResponses = responsesWith('openai', OF_CHATS)

/** Those of `POST /v1/compress`. */
export const compressProblemResponses = responsesWith(
  'openai',
  OF_CHATS.filter((type) => !OF_SUMMARIES.includes(type)),
)

/** Those of `GET /v1/models`. */
export const modelsProblemResponses = responsesWith('openai', [...OF_READS, ...OF_LOAD])

/** Those of `GET /v1/models/{id}`. */
export const modelProblemResponses = responsesWith('openai', [...OF_READS, ...OF_LOAD, 'not-found'])

/** The errors of the routes of Anthropic's API. */
export const anthropicErrorResponses = responsesWith('anthropic', [...OF_CHATS, 'not-found'])

interface ErrorResponse {
  description: string
  content: Record<string, { schema: TSchema; examples?: Record<string, { value: object }> }>
}

/** Returns a response for each status, with the types that a problem with this status has, and one for any other problem. */
function responsesWith(
  format: ErrorFormat,
  types: readonly ProblemType[],
  { tokenRefusedStatus }: Policy = {},
): Record<string, ErrorResponse> {
  const statusOf = (type: ProblemType): number =>
    (type === 'token-refused' ? tokenRefusedStatus : undefined) ?? PROBLEMS[type].status
  const statuses = [...new Set(types.map(statusOf))].sort()
  const responses = statuses.map((status) => {
    const ofStatus = types.filter((type) => statusOf(type) === status)
    return [status, responseOf(format, status, ofStatus)] as const
  })
  const { schema, others } = FORMATS[format]
  return {
    ...Object.fromEntries(responses),
    default: { description: others, content: { [errorTypeOf(format)]: { schema } } },
  }
}

function responseOf(format: ErrorFormat, status: number, types: readonly ProblemType[]): ErrorResponse {
  const { schema } = FORMATS[format]
  // A refused token and an unknown model have the same status, and another schema.
  const title = `${String(schema.title)}${types.includes('not-found') ? 'NotFound' : status}`
  const oneStatus = Type.Object({ ...schema.properties, ...propertiesOf(format, status, types) }, { title })
  const examples = types.map((type) => [type, { value: exampleOf(type, format, status) }] as const)
  return {
    description: types.map((type) => PROBLEMS[type].title).join('; '),
    content: { [errorTypeOf(format)]: { schema: oneStatus, examples: Object.fromEntries(examples) } },
  }
}

/** Returns the properties of an error that its status decides. */
function propertiesOf(format: ErrorFormat, status: number, types: readonly ProblemType[]): TProperties {
  if (format === 'anthropic')
    return { error: Type.Object({ type: Type.Literal(anthropicTypeOf(status)), message: Type.String() }) }
  return {
    type: Type.String({ enum: types.map((type) => `urn:precis:problem:${type}`) }),
    status: Type.Literal(status),
  }
}

/** Returns the body of an error as the service sends it. */
function exampleOf(type: ProblemType, format: ErrorFormat, status: number): object {
  const { detail, errors } = PROBLEM_EXAMPLES[type]
  return errorBody(new Problem(type, detail, { status, ...(errors && { faults: errors }) }), format)
}
