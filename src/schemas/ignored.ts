import { Type, type Static } from '@sinclair/typebox'
import { FormatSchema } from './format.ts'

const counts = (description: string) =>
  Type.Optional(
    Type.Unsafe<Readonly<Record<string, number>>>(
      Type.Object({}, { additionalProperties: Type.Integer({ minimum: 1 }), description }),
    ),
  )

export const IgnoredSchema = Type.Object(
  {
    fields: counts('Unknown fields of the body.'),
    settings: counts('Unknown fields of `settings`, and of `prune` at `POST /prune`.'),
    query: counts('Unknown query parameters. With a body in one of the own forms as JSON: all of them.'),
    entryTypes: counts('Types of entries that have no meaning here, except the known bookkeeping of agents.'),
    roles: counts('Unknown roles of messages. Of their content, only a string is read.'),
    blocks: counts('Unknown types of content blocks. Only their `text` is read.'),
    notCarried: counts(
      'Parts of the kept messages that the format of a new session cannot hold: `thinking`, `images`, `usage`, `errorMessages`, `toolErrors`, `exitCodes`, and `resultsWithoutCall`.',
    ),
    lines: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        description:
          'NDJSON: the numbers of the lines that are not JSON, the first 100. The first line of the body is 1.',
      }),
    ),
  },
  {
    title: 'Ignored',
    description:
      'Parts of the request that were not read, counted by their names. Each group has the first 50 names, cut to 64 characters, with secrets replaced. Absent if there are none. The whole session is counted, not only its active branch, but for parts with `excludeFromContext`, fields of entries, messages, blocks and `preserveData`, and the bookkeeping of agents. A query parameter, or the part of a form, whose name is nearly that of one that the route has (`quer`) is an error (400), which has the right name. `/prune` returns unknown entries and blocks, and `/context` unknown blocks, as they came. The routes below `/v1` do not report what they ignore.',
  },
)
export type Ignored = Static<typeof IgnoredSchema>

/** The report of routes that write no summary. */
export const RequestReportSchema = Type.Object(
  { format: Type.Optional(FormatSchema), ignored: Type.Optional(IgnoredSchema) },
  { title: 'RequestReport', description: 'Absent if there is nothing to report.' },
)
export type RequestReport = Static<typeof RequestReportSchema>
