import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { COMPACTION_FORMS } from '../schemas/compaction-request.ts'
import { CONTEXT_FORMS } from '../schemas/context.ts'
import {
  BRANCH_EXAMPLE,
  CONVERSATION_EXAMPLE,
  ENTRIES_EXAMPLE,
  ENVELOPE_EXAMPLE,
  LINES_EXAMPLE,
  MESSAGES_EXAMPLE,
  PROMPT_EXAMPLE,
} from '../schemas/examples.ts'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import { HANDOFF_FORMS } from '../schemas/handoff.ts'
import { PLAN_FORMS } from '../schemas/plan.ts'
import { PRUNE_FORMS } from '../schemas/prune.ts'

type Form = TSchema & { properties: TProperties }

interface Examples {
  summary: string
  value: object
}

const EXAMPLES: Readonly<Record<string, Examples>> = {
  entries: { summary: 'Entries of a session of pi or oh-my-pi', value: ENTRIES_EXAMPLE },
  messages: { summary: "Chat messages in OpenAI's format", value: MESSAGES_EXAMPLE },
  session: { summary: "Another agent's session, here messages of Anthropic's API", value: ENVELOPE_EXAMPLE },
  conversation: { summary: 'A transcript as text', value: CONVERSATION_EXAMPLE },
  prompt: { summary: 'A prompt that the client has written', value: PROMPT_EXAMPLE },
}

interface SessionRoute {
  /** The beginning of the name of its envelope. */
  name: string
  forms: Record<string, TSchema> & { entries: Form }
  examples: Readonly<Record<string, Examples>>
  lines: string
}

const routeOf = (name: string, forms: SessionRoute['forms']): SessionRoute => ({
  name,
  forms,
  examples: EXAMPLES,
  lines: LINES_EXAMPLE,
})

const BRANCH_ROUTE: SessionRoute = {
  ...routeOf('Branch', { entries: BranchSummaryRequestSchema }),
  examples: { entries: { summary: 'The agent leaves e7 and goes to e9', value: BRANCH_EXAMPLE } },
  lines: BRANCH_EXAMPLE.entries.map((entry) => JSON.stringify(entry)).join('\n'),
}

const ROUTES: Readonly<Record<string, SessionRoute>> = {
  '/compaction': routeOf('', COMPACTION_FORMS),
  '/compaction/plan': routeOf('Plan', PLAN_FORMS),
  '/prune': routeOf('Prune', PRUNE_FORMS),
  '/context': routeOf('Context', CONTEXT_FORMS),
  '/handoff': routeOf('Handoff', HANDOFF_FORMS),
  '/branch-summary': BRANCH_ROUTE,
}

/**
 * Returns what OpenAPI shows of the body of a route that reads a session: its forms as JSON, each with an example, a session
 * file, and the fields of a session file as query parameters. Returns undefined for other routes.
 */
export function describeSession(url: string): { body: object; querystring: TObject } | undefined {
  const route = ROUTES[url]
  if (route === undefined) return undefined
  const { name, forms, lines } = route
  const { entries } = forms
  const shown: Record<string, TSchema | undefined> = { ...forms, session: envelopeOf(name, entries) }
  const examples = Object.entries(route.examples).flatMap(([form, { summary, value }]) => {
    const properties = shown[form]?.['properties'] as TProperties | undefined
    return properties === undefined ? [] : [[form, { summary, value: fieldsIn(value, properties) }] as const]
  })
  const schema = { anyOf: Object.values(shown), 'x-examples': Object.fromEntries(examples) }
  const content = {
    'application/json': { schema },
    'application/x-ndjson': { schema: linesOf(lines) },
    'multipart/form-data': { schema: FormSchema },
  }
  return { body: { content }, querystring: Type.Object(queryOf(entries.properties)) }
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
function envelopeOf(name: string, { properties: { entries: _entries, ...fields } }: Form): TSchema {
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
