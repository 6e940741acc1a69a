import { Type, type Static } from '@sinclair/typebox'
import { Integer, oneOf } from './typebox.ts'

export const PreparedUseSchema = Type.Object(
  {
    use: oneOf('whole', 'earlier'),
    ageMs: Integer('How long ago it was written.'),
  },
  {
    title: 'PreparedUse',
    description:
      'The prepared summary that was used. `whole`: at once, with its own cut. `earlier`: as the earlier summary; a model has read what came after it.',
  },
)
export type PreparedUse = Static<typeof PreparedUseSchema>
