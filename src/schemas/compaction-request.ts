import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { EntrySchema } from './entry.ts'
import { CONVERSATION_EXAMPLE, ENTRIES_EXAMPLE, MESSAGES_EXAMPLE, PROMPT_EXAMPLE } from './examples.ts'
import { MessageSchema } from './message.ts'
import { OpenObject } from './typebox.ts'

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

const tokens = (description: string, minimum: number, fallback?: number) =>
  Type.Optional(Type.Integer({ description, minimum, ...(fallback === undefined ? {} : { default: fallback }) }))

/** An agent's compaction settings, by the names that pi and oh-my-pi give them. Defaults are told, never filled in here. */
export const SettingsSchema = OpenObject(
  {
    keepRecentTokens: tokens('Newest tokens that stay as they are.', 0, 20_000),
    reserveTokens: tokens('Room for the next prompt and answer; a summary may take 0.8 of it.', 1, 16_384),
    contextWindow: tokens("The agent's own context window.", 1),
    thresholdPercent: Type.Optional(
      Type.Number({
        description: 'Percent of the window past which to compact (1 to 99); not positive: unset.',
        default: -1,
      }),
    ),
    thresholdTokens: Type.Optional(
      Type.Integer({ description: 'Tokens past which to compact; not positive: unset.', default: -1 }),
    ),
    outputLimit: tokens("The agent's model's output limit.", 1),
    idleThresholdTokens: tokens('Tokens past which an idle session is compacted.', 0, 200_000),
  },
  { title: 'Settings' },
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

export type RawSettings = Static<typeof SettingsSchema>

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
