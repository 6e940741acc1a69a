import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { SettingsSchema } from './compaction-settings.ts'
import { EntrySchema } from './entry.ts'
import { MessageSchema } from './message.ts'
import { replyFields } from './reply-form.ts'
import { describedOneOf, Integer, OpenObject, Text } from './typebox.ts'

const prepared = Type.Optional(
  describedOneOf(
    'Whether a prepared summary may be used. `never`: none. `only`: nothing else than one that can be used at once; otherwise the reply is 409 `not-prepared`. A prompt and a transcript have none. Default: if there is one.',
    'never',
    'only',
  ),
)

const PromptFormSchema = Type.Object(
  {
    prompt: Text(
      'The whole prompt: the serialized conversation and the instructions. The model gets it as it is, with secrets replaced. If it is too long for the model, the text between its `<conversation>` tags is split, and the rest is repeated in each part; a prompt without these tags cannot be split.',
      { minLength: 1 },
    ),
    systemPrompt: Type.Optional(Text('The model gets it as it is, with secrets replaced.')),
    maxTokens: Type.Optional(
      Integer('Output limit in tokens. Default and maximum: `PRECIS_MAX_SUMMARY_TOKENS`.', { minimum: 1 }),
    ),
    prepared,
  },
  {
    title: 'PromptForm',
    description: 'Prompt form: the client serializes the conversation and writes the instructions.',
  },
)

const leafId = Type.Optional(Text('The id of the last entry of the branch. Default: the last entry of the request.'))

/** The optional fields of the entries, messages and conversation forms. */
const commonFields = {
  settings: Type.Optional(SettingsSchema),
  customInstructions: Type.Optional(
    Text(
      'A focus for the summary, added to the prompt of the history. The embedded summarizer picks what has its words first.',
    ),
  ),
  promptOverride: Type.Optional(
    Text('Replaces the instructions in the prompt of the history. Without a model, it has no effect.'),
  ),
  context: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Lines of additional context in the prompt of the history. Without a model, they have no effect.',
    }),
  ),
  preserveData: Type.Optional(
    OpenObject({}, { description: 'Returned unchanged. Default: the `preserveData` of the previous compaction.' }),
  ),
}

/** The optional fields of the entries and messages forms. */
const sessionFields = {
  leafId,
  ...commonFields,
  ...replyFields,
  prepared,
  style: Type.Optional(
    Type.Literal('continuation', {
      description: 'The summary is a continuation prompt of at most 1500 tokens, without sections.',
    }),
  ),
}

export const EntriesFormSchema = Type.Object(
  {
    entries: Type.Array(EntrySchema, { description: 'The entries of the session, or of its active branch.' }),
    ...sessionFields,
  },
  {
    title: 'EntriesForm',
    description: 'Entries form: a session of pi or oh-my-pi, as in its session file.',
  },
)

const MessagesFormSchema = Type.Object(
  {
    messages: Type.Array(MessageSchema, {
      description:
        'The messages of the session. They get the ids `m0`, `m1`, and so on. A message with content and an unknown role is a fault. The summary of an earlier compaction is updated if it is among them as in `POST /v1/chat/completions`: as it was returned, as the first message or the system prompt, or where and with the words with which known clients write it. Messages before it are summarized with it.',
    }),
    ...sessionFields,
  },
  {
    title: 'MessagesForm',
    description: 'Messages form: messages in the format of pi or of the OpenAI chat API.',
  },
)

const ConversationFormSchema = Type.Object(
  {
    conversation: Text(
      'A serialized transcript, without instructions. With `settings.keepRecentTokens`, the reply has the text that stays as `keptConversation`; without it, the whole text is summarized.',
    ),
    previousSummary: Type.Optional(Text('The summary of an earlier compaction, which is updated.')),
    prepared,
    ...commonFields,
  },
  {
    title: 'ConversationForm',
    description: 'Conversation form: a serialized transcript; the service writes the prompt.',
  },
)

/** The forms of `POST /compaction`, by the field that only this form has. */
export const COMPACTION_FORMS = {
  prompt: PromptFormSchema,
  entries: EntriesFormSchema,
  messages: MessagesFormSchema,
  conversation: ConversationFormSchema,
} as const

export type PromptForm = Static<typeof PromptFormSchema>
type EntriesForm = Static<typeof EntriesFormSchema>
type MessagesForm = Static<typeof MessagesFormSchema>
export type ConversationForm = Static<typeof ConversationFormSchema>
export type SessionForm = EntriesForm | MessagesForm
export type CompactionRequest = PromptForm | SessionForm | ConversationForm

/**
 * Returns the entries form and the messages form of a route other than `/compaction`, by the field that only this form
 * has: the session, its leaf, and the fields of the route.
 * @param name the beginning of the forms' names in OpenAPI
 */
export function sessionForms<P extends TProperties>(name: string, own: P) {
  const { entries, leafId } = EntriesFormSchema.properties
  const { messages } = MessagesFormSchema.properties
  const entriesFields = { entries, leafId, ...own }
  const messagesFields = { messages, leafId, ...own }
  return {
    entries: Type.Object(entriesFields, { title: `${name}Entries` }),
    messages: Type.Object(messagesFields, { title: `${name}Messages` }),
  }
}
