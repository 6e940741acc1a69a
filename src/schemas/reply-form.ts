import { Type, type Static } from '@sinclair/typebox'

/** The formats in which a new session can be written. */
export const NEW_SESSION_FORMATS = [
  'claude-code',
  'codex',
  'opencode',
  'gemini',
  'qwen',
  'pi',
  'atif',
  'chat',
  'anthropic',
  'responses',
] as const

export type NewSessionFormat = (typeof NEW_SESSION_FORMATS)[number]

/** The forms of a reply. The id of a format stands for a new session of that format. */
export const REPLY_FORMS = ['json', 'native', 'text', ...NEW_SESSION_FORMATS] as const

export type ReplyForm = (typeof REPLY_FORMS)[number]

/** The query parameters of `POST /compaction` that say how the reply is sent, whatever the body is. */
export const ReplyQuerySchema = Type.Object({
  reply: Type.Optional(
    Type.Unsafe<ReplyForm>(
      Type.String({
        enum: [...REPLY_FORMS],
        default: 'json',
        description:
          "`native`: what the agent's own storage needs, alone. `text`: the summary alone. The id of a format: a new session of that format, alone. Errors keep their status and are JSON.",
      }),
    ),
  ),
  newSession: Type.Optional(
    Type.Unsafe<NewSessionFormat>(
      Type.String({
        enum: [...NEW_SESSION_FORMATS],
        description:
          'The JSON reply has `newSession`: a session of this format that begins with the summary and continues with the kept messages.',
      }),
    ),
  ),
  maxChars: Type.Optional(
    Type.Integer({ minimum: 2, description: 'With `reply=text`: the most UTF-16 units of one part of the summary.' }),
  ),
  part: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'With `maxChars`: the number of the part; the first is 1.' }),
  ),
})

/** How a reply is sent. */
export type ReplyQuery = Static<typeof ReplyQuerySchema>

/** A session in another format. */
export const NewSessionSchema = Type.Object(
  {
    format: Type.Unsafe<NewSessionFormat>(Type.String({ enum: [...NEW_SESSION_FORMATS] })),
    contentType: Type.String(),
    body: Type.String(),
  },
  { title: 'NewSession', description: 'For the query parameter `newSession`: a session in another format.' },
)

/** The fields of a session's forms that say what the reply has. */
export const replyFields = {
  details: Type.Optional(Type.Literal('full', { description: 'The reply has more details, all extracted by code.' })),
  native: Type.Optional(
    Type.Boolean({ description: "The reply has `native`: what the agent's own storage needs.", default: false }),
  ),
  summary: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'A summary in place of a model call: it is checked, and returned as it is.',
    }),
  ),
}
