import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import {
  CONVERSATION_EXAMPLE,
  ENTRIES_EXAMPLE,
  ENVELOPE_EXAMPLE,
  LINES_EXAMPLE,
  MESSAGES_EXAMPLE,
  PROMPT_EXAMPLE,
} from '../schemas/examples.ts'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import type { SessionBody, SessionExamples } from '../use-cases/use-case.ts'

const EXAMPLES: SessionExamples = {
  forms: {
    entries: { summary: 'Entries of a session of pi or oh-my-pi', value: ENTRIES_EXAMPLE },
    messages: { summary: "Chat messages in OpenAI's format", value: MESSAGES_EXAMPLE },
    session: { summary: "Another agent's session, here messages of Anthropic's API", value: ENVELOPE_EXAMPLE },
    conversation: { summary: 'A transcript as text', value: CONVERSATION_EXAMPLE },
    prompt: { summary: 'A prompt that the client has written', value: PROMPT_EXAMPLE },
  },
  lines: LINES_EXAMPLE,
}

/**
 * Returns what OpenAPI shows of a body with a session: its forms as JSON, each with an example, a session file, and the fields
 * of a session file as query parameters.
 */
export function describeSession({ name, forms, examples = EXAMPLES }: SessionBody): { body: object; query: TObject } {
  const { entries } = forms
  const shown: Record<string, TSchema | undefined> = { ...forms, session: envelopeOf(name, entries) }
  const shownExamples = Object.entries(examples.forms).flatMap(([form, { summary, value }]) => {
    const properties = shown[form]?.['properties'] as TProperties | undefined
    return properties === undefined ? [] : [[form, { summary, value: fieldsIn(value, properties) }] as const]
  })
  const schema = { anyOf: Object.values(shown), 'x-examples': Object.fromEntries(shownExamples) }
  const content = {
    'application/json': { schema },
    'application/x-ndjson': { schema: linesOf(examples.lines) },
    'multipart/form-data': { schema: FormSchema },
  }
  return { body: { content }, query: Type.Object(queryOf(entries.properties)) }
}

const fieldsIn = (value: object, properties: TProperties): object =>
  Object.fromEntries(Object.entries(value).filter(([field]) => Object.hasOwn(properties, field)))

const linesOf = (value: string): TSchema =>
  Type.String({
    description:
      'A session file as it is, with one JSON value on each line, of pi or another agent. The other fields are query parameters. With curl, use `--data-binary @file`: `-d @file` removes the line ends.',
    'x-examples': { file: { summary: 'A session file', value } },
  })

/** The fields of a form are those of the query, which generated clients would otherwise have twice. */
const FormSchema = Type.Object(
  { session: Type.String({ format: 'binary', description: 'A session file, or a document of any known format.' }) },
  { description: 'A form, as `curl -F session=@FILE` sends it. Its other fields are the query parameters.' },
)

/** Returns the schema of `{"session": DOCUMENT, ...}` (docs/contract.md, "Sessions of other agents"). */
function envelopeOf(
  name: string,
  { properties: { entries: _entries, ...fields } }: SessionBody['forms']['entries'],
): TSchema {
  const session = Type.Union(
    [Type.Object({}, { additionalProperties: true }), Type.Array(Type.Unknown()), Type.String()],
    {
      description: 'A document of any known format, or its text.',
    },
  )
  return Type.Object(
    { session, format: Type.Optional(FormatParameter), ...fields },
    { title: `${name}EnvelopeForm`, description: 'Envelope form: the session of any known agent, as it is.' },
  )
}

const FormatParameter = Type.String({
  enum: [...FORMAT_IDS],
  description: 'The format of the session. Default: it is detected.',
})

/** Returns the fields of a form as query parameters: those of its groups have no prefix, and objects are JSON. */
function queryOf(properties: TProperties): TProperties {
  const { entries: _entries, ...fields } = properties
  const flat = Object.entries(fields).flatMap(([name, schema]): [string, TSchema][] => {
    const group = schema['properties'] as TProperties | undefined
    if (group === undefined) return [[name, Type.Optional(schema)]]
    if (Object.keys(group).length > 0) return Object.entries(group)
    return [[name, Type.Optional(Type.String({ description: `${String(schema['description'])} As JSON.` }))]]
  })
  return { format: Type.Optional(FormatParameter), ...Object.fromEntries(flat) }
}
