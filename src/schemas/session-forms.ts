import { Type, type TProperties } from '@sinclair/typebox'
import { ENTRIES_EXAMPLE, MESSAGES_EXAMPLE } from './examples.ts'
import { EntriesFormSchema, MessagesFormSchema } from './compaction-request.ts'

/**
 * The entries and the messages form as a route beside `/compaction` takes them: the session, its leaf, and fields of
 * the route's own. Told apart by the one field that only one of them has.
 * @param name how the forms are named in OpenAPI
 */
export function sessionForms<P extends TProperties>(name: string, own: P) {
  const { entries, leafId } = EntriesFormSchema.properties
  const { messages } = MessagesFormSchema.properties
  return {
    entries: Type.Object({ entries, leafId, ...own }, { title: `${name}Entries`, examples: [ENTRIES_EXAMPLE] }),
    messages: Type.Object({ messages, leafId, ...own }, { title: `${name}Messages`, examples: [MESSAGES_EXAMPLE] }),
  }
}
