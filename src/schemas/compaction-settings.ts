import { Type } from '@sinclair/typebox'
import { Integer, Numeric, PlainLine } from './typebox.ts'

/** No `default`: generators would make the field required (openapi-typescript). */
const tokens = (description: string, minimum: number, fallback?: number) =>
  Type.Optional(
    Type.Integer({
      description: fallback === undefined ? description : `${description} Default: ${fallback}.`,
      minimum,
    }),
  )

/**
 * An agent's compaction settings, with pi's and oh-my-pi's names. Validation adds no defaults. Others that an agent has are
 * accepted, but the type has only these: TypeScript then finds a misspelt one.
 */
export const SettingsSchema = Type.Object(
  {
    keepRecentTokens: tokens(
      'The number of newest tokens that stay in the session unchanged, as the provider counts them. `report.keep` says how many stay, and why. If it is not set, at most half of the threshold stays (rule 5).',
      0,
      20_000,
    ),
    reserveTokens: tokens(
      'Tokens reserved for the next prompt and reply. A summary has at most 0.8 of them.',
      1,
      16_384,
    ),
    contextWindow: tokens(
      "The context window of the agent's model, in tokens. Default: the one that the session names, as those of Codex do.",
      1,
    ),
    defaultContextWindow: tokens(
      'The context window if `contextWindow` is not set, and the session does not name one.',
      1,
    ),
    thresholdPercent: Type.Optional(
      Numeric(
        'For a plan: compact if the context exceeds this percentage of the context window (1 to 99). 0 or less: not set. Default: -1.',
      ),
    ),
    thresholdTokens: Type.Optional(
      Integer('For a plan: compact if the context exceeds this many tokens. 0 or less: not set. Default: -1.'),
    ),
    outputLimit: tokens("For a plan: the output limit of the agent's model, in tokens.", 1),
    prepareAt: Type.Optional(
      Numeric(
        'A plan says `prepare` if the context exceeds this share of the threshold for compaction. Default: 0.7.',
        { minimum: 0, maximum: 1 },
      ),
    ),
    idleThresholdTokens: tokens(
      'For a plan: compact an idle session if the context exceeds this many tokens.',
      0,
      200_000,
    ),
    transcriptTokens: tokens(
      'How many tokens of the session one summary is written from at most. More than that is cut by value. Default: `PRECIS_TRANSCRIPT_TOKENS`; if that is unset, it depends on what is summarized. For the embedded summarizer, the limit of the length of the summary.',
      1000,
    ),
    recall: Type.Optional(
      PlainLine({
        description:
          'One line: how the agent can look up what the summary replaces, such as "Call the tool recall." With it, the last section of the summary before the file tags is `## Looking things up`: which entries the summary replaces (positions in the branch, as in the replies of `/recall`), the id of the session, when they were written, and this line, word for word. `/compaction` and `/handoff` write it, but not if the request or a hook brings the `summary`, and not if the line has a secret of the session. Without it, a section of this name is removed. Default: no such section.',
      }),
    ),
  },
  { title: 'Settings', additionalProperties: true },
)
