import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { Problem, PROBLEMS, type ProblemType } from '../errors.ts'
import { openAiError, problemBody } from '../http/problems.ts'
import { PROBLEM_EXAMPLES } from '../schemas/problem-examples.ts'
import { AnthropicErrorSchema, ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'

const EVENTS =
  'The events `plan`, `progress` (`{done, total, phase}`), and finally `result` or `problem`. Their data is JSON.'

/**
 * The reply of a route that answers with JSON or with events (OpenAPI).
 * @param events the events of another API; its JSON replies have no spaces before them
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

/** Replies to requests that are not in the contract. */
const OF_OTHER_REQUESTS: readonly ProblemType[] = ['not-found', 'method-not-allowed', 'expectation-failed']
const OF_MODELS: readonly ProblemType[] = ['prompt-too-large', 'model-misconfigured', 'model-failed']
const OF_READS: readonly ProblemType[] = ['token-refused', 'foreign-origin', 'wrong-host']

const ALL = (Object.keys(PROBLEMS) as ProblemType[]).filter((type) => !OF_OTHER_REQUESTS.includes(type))
const WITHOUT_MODEL = ALL.filter((type) => !OF_MODELS.includes(type))

/** The problems of every route with a model (OpenAPI), by status. */
export const problemResponses = responsesWith(ProblemSchema, ALL)

/** The problems of routes with a session that call no model. */
export const planProblemResponses = responsesWith(ProblemSchema, WITHOUT_MODEL)

/** The problems of routes without a body. */
export const readProblemResponses = responsesWith(ProblemSchema, OF_READS)

/** The problems of the routes of OpenAI's API, which also have its `error`. */
export const chatProblemResponses = responsesWith(ChatProblemSchema, ALL)

/** The errors of the routes of Anthropic's API. */
export const anthropicProblemResponses = {
  default: {
    description: 'An error in the format of Anthropic’s API.',
    content: { 'application/json': { schema: AnthropicErrorSchema } },
  },
}

interface ProblemResponse {
  description: string
  content: { 'application/problem+json': { schema: TSchema; examples?: Record<string, { value: object }> } }
}

/** Returns a response for each status, with the types that a problem with this status has, and one for any other problem. */
function responsesWith(schema: TObject, types: readonly ProblemType[]): Record<string, ProblemResponse> {
  const statuses = [...new Set(types.map((type) => PROBLEMS[type].status))].sort()
  const others = { description: 'Another problem (RFC 9457).', content: { 'application/problem+json': { schema } } }
  const responses = statuses.map((status) => {
    const ofStatus = types.filter((type) => PROBLEMS[type].status === status)
    return [status, responseOf(schema, status, ofStatus)] as const
  })
  return { ...Object.fromEntries(responses), default: others }
}

/** Returns the response of a refused token on the routes whose policy is `CALLED_BY_AGENTS`. */
export const tokenNotFoundResponse = (schema: TObject): ProblemResponse => responseOf(schema, 404, ['token-refused'])

function responseOf(schema: TObject, status: number, types: readonly ProblemType[]): ProblemResponse {
  const oneStatus = Type.Object(
    {
      ...schema.properties,
      type: Type.String({ enum: types.map((type) => `urn:precis:problem:${type}`) }),
      status: Type.Literal(status),
    },
    { title: `${String(schema.title)}${status}` },
  )
  const examples = types.map((type) => [type, { value: exampleOf(type, schema, status) }] as const)
  return {
    description: types.map((type) => PROBLEMS[type].title).join('; '),
    content: { 'application/problem+json': { schema: oneStatus, examples: Object.fromEntries(examples) } },
  }
}

/** Returns the body of an error as the service sends it. */
function exampleOf(type: ProblemType, schema: TObject, status: number): object {
  const { detail, errors } = PROBLEM_EXAMPLES[type]
  const problem = new Problem(type, detail, { status, ...(errors && { faults: errors }) })
  return 'error' in schema.properties ? { ...problemBody(problem), error: openAiError(problem) } : problemBody(problem)
}
