import { Type, type Static } from '@sinclair/typebox'
import { Nullable, oneOf, Text } from './typebox.ts'

/** A problem detail (RFC 9457); `errors` has the JSON pointer (RFC 6901) of each fault of a request. */
export const ProblemSchema = Type.Object(
  {
    type: Text('A URN that ends with the name of the problem, such as `nothing-to-compact`.'),
    title: Text('A short text, equal to the HTTP reason phrase.'),
    status: Type.Integer(),
    detail: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String(),
          detail: Type.String(),
          parameter: Type.Optional(
            Text('The query parameter that has the fault. `pointer` begins with it, and points into no body.'),
          ),
        }),
      ),
    ),
  },
  { title: 'Problem' },
)

export type ProblemBody = Static<typeof ProblemSchema>

const OpenAiErrorSchema = Type.Object(
  {
    message: Type.String(),
    type: Type.String(),
    param: Nullable(Type.String()),
    code: Text('The name of the problem, or `context_length_exceeded` if the request is too long.'),
  },
  { title: 'OpenAiError', description: 'The same problem in the format of the OpenAI API.' },
)
export type OpenAiError = Static<typeof OpenAiErrorSchema>

/** An error reply of the chat route: a problem that OpenAI clients can also read. */
export const ChatProblemSchema = Type.Object(
  { ...ProblemSchema.properties, error: OpenAiErrorSchema },
  { title: 'ChatProblem' },
)

/** An error reply in the format of Anthropic's API. */
export const AnthropicErrorSchema = Type.Object(
  {
    type: Type.Literal('error'),
    error: Type.Object({
      type: oneOf(
        'authentication_error',
        'permission_error',
        'not_found_error',
        'request_too_large',
        'rate_limit_error',
        'overloaded_error',
        'timeout_error',
        'invalid_request_error',
        'api_error',
      ),
      message: Type.String(),
    }),
    request_id: Type.Optional(Type.String()),
  },
  { title: 'AnthropicError' },
)
export type AnthropicErrorBody = Static<typeof AnthropicErrorSchema>
