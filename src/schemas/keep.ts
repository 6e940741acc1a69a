import { Type } from '@sinclair/typebox'
import { Integer, Numeric, Text } from './typebox.ts'

/** How many of the newest tokens stay, and why. */
export const KeepSchema = Type.Object(
  {
    asked: Integer('`settings.keepRecentTokens` or its default.'),
    budget: Integer('The same in tokens of our estimate, if a provider counts more tokens than the estimate (rule 6).'),
    ratio: Numeric('The tokens that the provider counts for each token of our estimate: 1 to 4; 1 if that is unknown.'),
    kept: Integer('The estimated tokens of the messages that stay.'),
    why: Text(
      'Why `kept` is not the same as `asked`, and whether it is so much that each turn would have a compaction, in sentences for the user.',
    ),
  },
  { title: 'Keep', description: 'How many of the newest tokens stay, and why.' },
)

export const EncryptedAtSchema = Type.Optional(
  Integer(
    'If the newest compaction of the session is encrypted: the number of the entry that is this compaction, or that it follows. The first entry is 1. The agent no longer reads what this compaction has replaced; a plan counts the compaction as absent.',
  ),
)
