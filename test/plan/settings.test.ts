import t from 'tap'
import { DEFAULT_SETTINGS, resolveReserveTokens } from '../../src/plan/settings.ts'
import { SettingsSchema } from '../../src/schemas/compaction-settings.ts'

t.test('the defaults in the descriptions of the schema are the ones that are used', async (t) => {
  const declared = Object.entries(SettingsSchema.properties).map(
    ([name, { description = '' }]) => [name, / Default: (-?\d+(?:\.\d+)?)\.$/.exec(description)?.[1]] as const,
  )
  const numbers = declared.flatMap(([name, value]) => (value === undefined ? [] : [[name, Number(value)] as const]))
  t.strictSame(Object.fromEntries(numbers), { ...DEFAULT_SETTINGS })
})

t.test('the reserve is the one that was given, else the default', async (t) => {
  t.equal(resolveReserveTokens({ reserveTokens: 1 }), 1)
  t.equal(resolveReserveTokens({}), 16_384)
})
