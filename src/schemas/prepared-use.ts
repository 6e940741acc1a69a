import { Type, type Static } from '@sinclair/typebox'
import { oneOf } from './typebox.ts'

export const PreparedUseSchema = Type.Object(
  {
    use: oneOf('whole', 'earlier'),
    ageMs: Type.Integer({ description: 'How long ago it was written.' }),
  },
  {
    title: 'PreparedUse',
    description:
      'The prepared summary that was used. `whole`: at once, with its own cut. `earlier`: as the earlier summary; a model has read what came after it.',
  },
)
export type PreparedUse = Static<typeof PreparedUseSchema>
