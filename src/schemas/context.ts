import { Type, type Static } from '@sinclair/typebox'
import { sessionForms } from './compaction-request.ts'
import { RequestReportSchema } from './ignored.ts'
import { oneOf, OpenObject } from './typebox.ts'

/** The forms of `POST /context`. */
export const CONTEXT_FORMS = sessionForms('Context', {})
const ContextRequestSchema = Type.Union(Object.values(CONTEXT_FORMS))
export type ContextRequest = Static<typeof ContextRequestSchema>

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
