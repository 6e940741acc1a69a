import { Type, type Static } from '@sinclair/typebox'
import { Integer, oneOf } from './typebox.ts'

export const PlannedPromptSchema = Type.Object(
  {
    segment: oneOf('history', 'turn-prefix'),
    systemPrompt: Type.String(),
    prompt: Type.String(),
    tokens: Integer('The tokens of both.'),
    maxTokens: Integer('The output limit of the answer.'),
    transcript: Type.Object(
      { start: Type.Integer(), end: Type.Integer() },
      { description: 'Where the transcript is in the prompt, in UTF-16 units.' },
    ),
    marks: Type.Array(
      Type.Object({
        start: Type.Integer(),
        end: Type.Integer(),
        kind: oneOf('cut', 'folded', 'replaced'),
      }),
      {
        description:
          'The notes in the transcript, in UTF-16 units of the prompt: for characters that were cut, for blocks that were left out or are shown elsewhere, and for secrets that were replaced.',
      },
    ),
  },
  { title: 'PlannedPrompt' },
)
export type PlannedPrompt = Static<typeof PlannedPromptSchema>
