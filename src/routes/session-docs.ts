import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import { FormatQuerySchema } from '../schemas/format.ts'
import type { SessionBody } from '../use-cases/use-case.ts'
import { readExample, withExample } from './examples.ts'
import { Text } from '../schemas/typebox.ts'

/** The descriptions of the examples of each form. */
const SUMMARIES = {
  entries: 'Entries of a session of pi or oh-my-pi',
  messages: "Chat messages in OpenAI's format",
  session: "Another agent's session, here messages of Anthropic's API",
  conversation: 'A transcript as text',
  prompt: 'A prompt that the client has written',
}

/**
 * Returns what OpenAPI shows of a body with a session: its forms as JSON, each with an example, a session file, and the fields
 * of a session file as query parameters.
 */
export function describeSession(
  { name, forms, ownExample }: SessionBody,
  operationId: string,
): { body: object; queries: TObject[] } {
  const { entries } = forms
  const own = ownExample === undefined ? undefined : readExample(operationId)
  const shown: Record<string, TSchema | undefined> = {
    ...forms,
    ...(own && { entries: withExample(entries, own) }),
    session: envelopeOf(name, entries),
  }
  const summaries = ownExample === undefined ? SUMMARIES : { entries: ownExample }
  const shownExamples = Object.entries(summaries).flatMap(([form, summary]) => {
    const properties = shown[form]?.['properties'] as TProperties | undefined
    const value = own ?? readExample(`session.${form}`)
    return properties === undefined ? [] : [[form, { summary, value: fieldsIn(value, properties) }] as const]
  })
  const schema = { anyOf: Object.values(shown), 'x-examples': Object.fromEntries(shownExamples) }
  const content = {
    'application/json': { schema },
    'application/x-ndjson': { schema: linesOf(own ?? readExample('session.entries')) },
    'multipart/form-data': { schema: FormSchema },
  }
  return { body: { content }, queries: [Type.Object(queryOf(entries.properties)), FormatQuerySchema] }
}

const fieldsIn = (value: object, properties: TProperties): object =>
  Object.fromEntries(Object.entries(value).filter(([field]) => Object.hasOwn(properties, field)))

/** Returns a session file with the entries of an example. */
function linesOf({ entries }: Record<string, unknown>): TSchema {
  const lines = [entries].flat().map((entry) => JSON.stringify(entry))
  return Type.String({
    description:
      'A session file as it is, with one JSON value on each line, of pi or another agent. The other fields are query parameters. With curl, use `--data-binary @file`: `-d @file` removes the line ends.',
    'x-examples': { file: { summary: 'A session file', value: lines.join('\n') } },
  })
}

/** The fields of a form are those of the query, which generated clients would otherwise have twice. */
const FormSchema = Type.Object(
  { session: Text('A session file, or a document of any known format.', { format: 'binary' }) },
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

const FormatParameter = Text('The format of the session. Default: it is detected.', { enum: [...FORMAT_IDS] })

/** Returns the fields of a form as query parameters: those of its groups have no prefix, and objects are JSON. */
function queryOf(properties: TProperties): TProperties {
  const { entries: _entries, ...fields } = properties
  const flat = Object.entries(fields).flatMap(([name, schema]): [string, TSchema][] => {
    const group = schema['properties'] as TProperties | undefined
    if (group === undefined) return [[name, Type.Optional(schema)]]
    if (Object.keys(group).length > 0) return Object.entries(group)
    return [[name, Type.Optional(Text(`${String(schema['description'])} As JSON.`))]]
  })
  return { format: Type.Optional(FormatParameter), ...Object.fromEntries(flat) }
}
