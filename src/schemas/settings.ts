import { Type, type Static } from '@sinclair/typebox'
import { OpenObject } from './open-object.ts'

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

export type RawSettings = Static<typeof SettingsSchema>
