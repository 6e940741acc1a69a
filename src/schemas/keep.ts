import { Type } from '@sinclair/typebox'

/** How many of the newest tokens stay, and why. */
export const KeepSchema = Type.Object(
  {
    asked: Type.Integer({ description: '`settings.keepRecentTokens` or its default.' }),
    budget: Type.Integer({
      description: 'The same in tokens of our estimate, if a provider counts more tokens than the estimate (rule 6).',
    }),
    ratio: Type.Number({
      description: 'The tokens that the provider counts for each token of our estimate: 1 to 4; 1 if that is unknown.',
    }),
    kept: Type.Integer({ description: 'The estimated tokens of the messages that stay.' }),
    why: Type.String({ description: 'Why `kept` is not the same as `asked`, in sentences for the user.' }),
  },
  { title: 'Keep', description: 'How many of the newest tokens stay, and why.' },
)
