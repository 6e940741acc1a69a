import { Type } from '@sinclair/typebox'
import { Integer, Numeric, OpenObject, PlainLine } from './typebox.ts'

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
      Numeric(
        'Compact if the context exceeds this percentage of the context window (1 to 99). 0 or less: not set. Default: -1.',
      ),
    ),
    thresholdTokens: Type.Optional(
      Integer('Compact if the context exceeds this many tokens. 0 or less: not set. Default: -1.'),
    ),
    outputLimit: tokens("The output limit of the agent's model, in tokens.", 1),
    prepareAt: Type.Optional(
      Numeric(
        'A plan says `prepare` if the context exceeds this share of the threshold for compaction. Default: 0.7.',
        { minimum: 0, maximum: 1 },
      ),
    ),
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
