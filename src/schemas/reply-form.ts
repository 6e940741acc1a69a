import { Type, type Static } from '@sinclair/typebox'
import { NEW_SESSION_FORMATS, REPLY_FORMS } from './format-ids.ts'
import { describedOneOf, Flag, Integer, oneOf, Text } from './typebox.ts'

const NewSessionFormatSchema = oneOf(...NEW_SESSION_FORMATS)

export type NewSessionFormat = Static<typeof NewSessionFormatSchema>

/** The query parameters of `POST /compaction` that say how the reply is sent, whatever the body is. */
export const ReplyQuerySchema = Type.Object({
  reply: Type.Optional(
    describedOneOf(
      "`native`: what the agent's own storage needs, alone. `text`: the summary alone. The id of a format: a new session of that format, alone. Errors keep their status and are JSON.",
      ...REPLY_FORMS,
    ),
  ),
  newSession: Type.Optional(
    describedOneOf(
      'The JSON reply has `newSession`: a session of this format that begins with the summary and continues with the kept messages.',
      ...NEW_SESSION_FORMATS,
    ),
  ),
  maxChars: Type.Optional(
    Integer('With `reply=text`: the most UTF-16 units of one part of the summary.', { minimum: 2 }),
  ),
  part: Type.Optional(Integer('With `maxChars`: the number of the part; the first is 1, the default.', { minimum: 1 })),
})

/** How a reply is sent. */
export type ReplyQuery = Static<typeof ReplyQuerySchema>

/** The fields of a session's forms that say what the reply has. */
export const replyFields = {
  details: Type.Optional(Type.Literal('full', { description: 'The reply has more details, all extracted by code.' })),
  native: Type.Optional(Flag("The reply has `native`: what the agent's own storage needs.")),
  history: Type.Optional(
    Flag('Lists of messages: the reply has `history`, the compacted list in the form that was posted.'),
  ),
  summary: Type.Optional(
    Text('A summary in place of a model call: it is checked, and returned as it is.', { minLength: 1 }),
  ),
}

export const NativeSchema = Type.Object(
  {
    mode: describedOneOf(
      'Append the body to the session file, replace the file, or write the body beside it.',
      ...(['append', 'replace', 'sidecar'] as const),
    ),
    contentType: Type.String(),
    body: Type.String(),
  },
  { title: 'Native', description: 'For `"native": true`: what the agent\'s own storage needs.' },
)

const NewSessionSchema = Type.Object(
  { format: NewSessionFormatSchema, contentType: Type.String(), body: Type.String() },
  { title: 'NewSession', description: 'For the query parameter `newSession`: a session in another format.' },
)

/** The fields of a reply that bring a compaction back into the session, or into another one. */
export const writtenFields = {
  native: Type.Optional(NativeSchema),
  newSession: Type.Optional(NewSessionSchema),
  history: Type.Optional(
    Type.Array(Type.Object({}, { additionalProperties: true }), {
      description:
        'For `"history": true`: the instructions, the summary as a message of the user, and the kept messages.',
    }),
  ),
}
