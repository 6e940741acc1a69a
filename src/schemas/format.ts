import { Type } from '@sinclair/typebox'
import { FORMAT_IDS } from './format-ids.ts'
import { Text } from './typebox.ts'

export type FormatId = (typeof FORMAT_IDS)[number]

/** The query parameter that names the format of a body; others are the fields of the form that the body has. */
export const FormatQuerySchema = Type.Object({
  format: Type.Optional(
    Type.Unsafe<FormatId>(
      Text(
        'The format of the session that is the whole body. Default: it is detected. With such a body, the other fields ' +
          'of the request are query parameters as well (docs/api.md, "Sessions of other agents").',
        { enum: [...FORMAT_IDS] },
      ),
    ),
  ),
})

export const FormatSchema = Type.Unsafe<FormatId>(
  Text("The format of the session. Absent if the body has the service's own entries or messages form.", {
    enum: [...FORMAT_IDS],
  }),
)
