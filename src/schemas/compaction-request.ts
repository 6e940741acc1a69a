import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { EntrySchema } from './entry.ts'
import { MessageSchema } from './message.ts'
import { replyFields } from './reply-form.ts'
import { OpenObject, PlainLine } from './typebox.ts'

const PromptFormSchema = Type.Object(
  {
    prompt: Type.String({
      minLength: 1,
      description: 'The whole prompt: the serialized conversation and the instructions.',
    }),
    systemPrompt: Type.Optional(Type.String()),
    maxTokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Output limit in tokens. Default and maximum: `PRECIS_MAX_SUMMARY_TOKENS`.',
      }),
    ),
  },
  {
    title: 'PromptForm',
    description: 'Prompt form: the client serializes the conversation and writes the instructions.',
  },
)

const leafId = Type.Optional(
  Type.String({ description: 'The id of the last entry of the branch. Default: the last entry of the request.' }),
)

/** No `default`: generators would make the field required (openapi-typescript). */
const tokens = (description: string, minimum: number, fallback?: number) =>
  Type.Optional(
    Type.Integer({
      description: fallback === undefined ? description : `${description} Default: ${fallback}.`,
      minimum,
    }),
  )

/** An agent's compaction settings, with pi's and oh-my-pi's names. Validation adds no defaults. */
export const SettingsSchema = OpenObject(
  {
    keepRecentTokens: tokens('The number of newest tokens that stay in the session unchanged.', 0, 20_000),
    reserveTokens: tokens(
      'Tokens reserved for the next prompt and reply. A summary has at most 0.8 of them.',
      1,
      16_384,
    ),
    contextWindow: tokens("The context window of the agent's model, in tokens.", 1),
    thresholdPercent: Type.Optional(
      Type.Number({
        description:
          'Compact if the context exceeds this percentage of the context window (1 to 99). 0 or less: not set. Default: -1.',
      }),
    ),
    thresholdTokens: Type.Optional(
      Type.Integer({
        description: 'Compact if the context exceeds this many tokens. 0 or less: not set. Default: -1.',
      }),
    ),
    outputLimit: tokens("The output limit of the agent's model, in tokens.", 1),
    idleThresholdTokens: tokens('Compact an idle session if the context exceeds this many tokens.', 0, 200_000),
    transcriptTokens: tokens(
      'How many tokens of the session one summary is written from at most. More than that is cut by value. Default: `PRECIS_TRANSCRIPT_TOKENS`; if that is unset, it grows with what is summarized.',
      1000,
    ),
    recall: Type.Optional(
      PlainLine({
        description:
          'How the agent can look up what the summary replaces, such as "Call the tool recall." With it, the last section of the summary is `## Looking things up`. Default: no such section.',
      }),
    ),
  },
  { title: 'Settings' },
)

/** The optional fields of the entries, messages and conversation forms. */
const commonFields = {
  settings: Type.Optional(SettingsSchema),
  customInstructions: Type.Optional(
    Type.String({ description: 'Added to the prompt of the history, as an additional focus.' }),
  ),
  promptOverride: Type.Optional(
    Type.String({ description: 'Replaces the instructions in the prompt of the history.' }),
  ),
  context: Type.Optional(
    Type.Array(Type.String(), { description: 'Lines of additional context in the prompt of the history.' }),
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
      description: 'The messages of the session. They get the ids `m0`, `m1`, and so on.',
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
    conversation: Type.String({ description: 'A serialized transcript, without instructions.' }),
    previousSummary: Type.Optional(Type.String()),
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
export type EntriesForm = Static<typeof EntriesFormSchema>
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
