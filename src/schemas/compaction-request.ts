import { Type, type Static } from '@sinclair/typebox'
import { EntrySchema } from './entry.ts'
import { CONVERSATION_EXAMPLE, ENTRIES_EXAMPLE, MESSAGES_EXAMPLE, PROMPT_EXAMPLE } from './examples.ts'
import { MessageSchema } from './message.ts'
import { OpenObject } from './open-object.ts'
import { SettingsSchema } from './settings.ts'

export const PromptFormSchema = Type.Object(
  {
    prompt: Type.String({ minLength: 1, description: 'The whole prompt: serialized conversation and instructions.' }),
    systemPrompt: Type.Optional(Type.String()),
    maxTokens: Type.Optional(Type.Integer({ minimum: 1, description: 'Output limit; left out: the cap.' })),
  },
  {
    title: 'PromptForm',
    examples: [PROMPT_EXAMPLE],
    description: 'Prompt form: the client has serialized the conversation and written the instructions.',
  },
)

const leafId = Type.Optional(
  Type.String({ description: 'The leaf of the branch to compact; left out: the last entry.' }),
)

/** What the entries, messages and conversation forms have in common. */
const steering = {
  settings: Type.Optional(SettingsSchema),
  customInstructions: Type.Optional(Type.String({ description: "Focus, appended to the history's prompt." })),
  promptOverride: Type.Optional(Type.String({ description: "Replaces the history's summary prompt." })),
  context: Type.Optional(Type.Array(Type.String(), { description: 'Lines for the additional context.' })),
  preserveData: Type.Optional(
    OpenObject({}, { description: "Handed back untouched; left out: the previous compaction's is carried over." }),
  ),
}

/** What the entries and messages forms have beside that. */
const sessionSteering = {
  leafId,
  ...steering,
  details: Type.Optional(Type.Literal('full', { description: 'More in the details, all found by code.' })),
  style: Type.Optional(
    Type.Literal('continuation', {
      description: 'A continuation prompt of at most 1500 tokens in place of the sections.',
    }),
  ),
}

export const EntriesFormSchema = Type.Object(
  { entries: Type.Array(EntrySchema, { description: 'The session, or its active branch.' }), ...sessionSteering },
  {
    title: 'EntriesForm',
    examples: [ENTRIES_EXAMPLE],
    description: 'Entries form: a session of pi or oh-my-pi, as it is on disk.',
  },
)

export const MessagesFormSchema = Type.Object(
  {
    messages: Type.Array(MessageSchema, { description: 'Messages; they get the ids m0, m1, ...' }),
    ...sessionSteering,
  },
  {
    title: 'MessagesForm',
    examples: [MESSAGES_EXAMPLE],
    description: 'Messages form: pi-style agent messages or OpenAI chat messages.',
  },
)

export const ConversationFormSchema = Type.Object(
  {
    conversation: Type.String({ description: 'A serialized transcript without instructions of its own.' }),
    previousSummary: Type.Optional(Type.String()),
    ...steering,
  },
  {
    title: 'ConversationForm',
    examples: [CONVERSATION_EXAMPLE],
    description: 'Conversation form: a serialized transcript; the service writes the prompt.',
  },
)

/** The forms of `POST /compaction`, by the one field that tells them apart. */
export const COMPACTION_FORMS = {
  prompt: PromptFormSchema,
  entries: EntriesFormSchema,
  messages: MessagesFormSchema,
  conversation: ConversationFormSchema,
} as const

export const CompactionRequestSchema = Type.Union(Object.values(COMPACTION_FORMS))

export type PromptForm = Static<typeof PromptFormSchema>
export type EntriesForm = Static<typeof EntriesFormSchema>
export type MessagesForm = Static<typeof MessagesFormSchema>
export type ConversationForm = Static<typeof ConversationFormSchema>
export type SessionForm = EntriesForm | MessagesForm
export type CompactionRequest = PromptForm | SessionForm | ConversationForm
