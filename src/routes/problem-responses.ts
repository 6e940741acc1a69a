import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import type { FastifyContextConfig } from 'fastify'
import { Problem, PROBLEMS, type Fault, type ProblemType } from '../errors.ts'
import { anthropicTypeOf, errorBody, errorTypeOf, type ErrorFormat } from '../http/error-format.ts'
import { AnthropicErrorSchema, ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'
import { readExample } from './examples.ts'

const FORMATS: Readonly<Record<ErrorFormat, { schema: TObject; others: string }>> = {
  problem: { schema: ProblemSchema, others: 'Another problem (RFC 9457).' },
  openai: { schema: ChatProblemSchema, others: 'Another problem (RFC 9457).' },
  anthropic: { schema: AnthropicErrorSchema, others: 'Another error in the format of Anthropic’s API.' },
}

/** The problems of routes without a body. */
export const READ_PROBLEMS: readonly ProblemType[] = ['token-refused', 'foreign-origin', 'wrong-host']

/** Other problems of routes that may be refused. */
export const LOAD_PROBLEMS: readonly ProblemType[] = ['rate-limited', 'internal', 'overloaded', 'draining']

type Policy = Pick<FastifyContextConfig, 'tokenRefusedStatus'>

interface ErrorResponse {
  description: string
  content: Record<string, { schema: TSchema; examples?: Record<string, { value: object }> }>
}

/**
 * Returns the problems of a route for OpenAPI: a response for each status, with the types that a problem with this status has,
 * and one for any other problem.
 */
export function problemResponses(
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
  const { detail, errors = [] } = readExample('problems')[type] as { detail: string; errors?: Fault[] }
  return errorBody(new Problem(type, detail, { status, faults: errors }), format)
}
