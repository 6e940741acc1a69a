import { Type, type Static } from '@sinclair/typebox'

/** A problem detail (RFC 9457); `errors` names each fault of a request by a JSON pointer (RFC 6901). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Ends in the name of the problem, e.g. `nothing-to-compact`.' }),
    title: Type.String({ description: 'The same as the HTTP reason phrase.' }),
    status: Type.Integer(),
    detail: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }))),
  },
  { title: 'Problem' },
)

export type ProblemBody = Static<typeof ProblemSchema>

export const OpenAiErrorSchema = Type.Object(
  {
    message: Type.String(),
    type: Type.String(),
    param: Type.Union([Type.String(), Type.Null()]),
    code: Type.String({ description: 'The name of the problem; `context_length_exceeded` for what is too long.' }),
  },
  { title: 'OpenAiError', description: "The same in the shape of OpenAI's API." },
)
export type OpenAiError = Static<typeof OpenAiErrorSchema>

/** What the chat route answers: a problem that OpenAI's clients can read too. */
export const ChatProblemSchema = Type.Object(
  { ...ProblemSchema.properties, error: OpenAiErrorSchema },
  { title: 'ChatProblem' },
)
