import { Type } from '@sinclair/typebox'

/** The formats of sessions. `pi` is also that of oh-my-pi and indusagi; `chat` is that of OpenAI's chat API. */
export const FORMAT_IDS = [
  'pi',
  'chat',
  'claude-code',
  'codex',
  'opencode',
  'gemini',
  'gemini-contents',
  'qwen',
  'cline',
  'cline-legacy',
  'openhands-v0',
  'openhands-v1',
  'atif',
  'swe-agent',
  'ai-model',
  'ai-ui',
  'goose',
  'aider',
  'gencode',
  'responses',
  'anthropic',
] as const

export type FormatId = (typeof FORMAT_IDS)[number]

/** The query parameter that names the format of a body; others are the fields of the form that the body has. */
export const FormatQuerySchema = Type.Object({
  format: Type.Optional(
    Type.Unsafe<FormatId>(
      Type.String({
        enum: [...FORMAT_IDS],
        description:
          'The format of the session that is the whole body. Default: it is detected. With such a body, the other fields ' +
          'of the request are query parameters as well (docs/api.md, "Sessions of other agents").',
      }),
    ),
  ),
})

export const FormatSchema = Type.Unsafe<FormatId>(
  Type.String({
    enum: [...FORMAT_IDS],
    description: "The format of the session. Absent if the body has the service's own entries or messages form.",
  }),
)
