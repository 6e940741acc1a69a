import { Type, type Static } from '@sinclair/typebox'
import { ReportSchema } from './compaction-reply.ts'
import { EntriesFormSchema, sessionForms } from './compaction-request.ts'
import { FileListsSchema } from './details.ts'
import { Text } from './typebox.ts'

const { settings, customInstructions, context } = EntriesFormSchema.properties

export const HANDOFF_FORMS = sessionForms('Handoff', { settings, customInstructions, context })
export type HandoffRequest = Static<(typeof HANDOFF_FORMS)['entries']> | Static<(typeof HANDOFF_FORMS)['messages']>

export const HandoffReplySchema = Type.Object(
  {
    document: Text('Everything that a new session needs. Ends with the file tags.', { minLength: 1 }),
    details: FileListsSchema,
    report: ReportSchema,
  },
  { title: 'HandoffReply' },
)
export type HandoffReply = Static<typeof HandoffReplySchema>
