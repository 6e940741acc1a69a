import { Type, type Static } from '@sinclair/typebox'
import { sessionForms } from './compaction-request.ts'
import { RequestReportSchema } from './ignored.ts'
import { oneOf, OpenObject } from './typebox.ts'

export const CONTEXT_FORMS = sessionForms('Context', {})
export type ContextRequest = Static<(typeof CONTEXT_FORMS)[keyof typeof CONTEXT_FORMS]>

export const ContextReplySchema = Type.Object(
  {
    messages: Type.Array(
      OpenObject({
        role: oneOf('user', 'assistant', 'toolResult'),
        content: Type.Array(OpenObject({ type: Type.String() })),
      }),
    ),
    report: Type.Optional(RequestReportSchema),
  },
  { title: 'ContextReply' },
)
export type ContextReply = Static<typeof ContextReplySchema>
