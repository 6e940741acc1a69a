import t from 'tap'
import { DEFAULT_SETTINGS, resolveReserveTokens } from '../../src/plan/settings.ts'
import { SettingsSchema } from '../../src/schemas/compaction-request.ts'

t.test('the defaults in the schema are the ones that are used', async (t) => {
  const declared = Object.entries(SettingsSchema.properties).map(([name, schema]) => [name, schema.default] as const)
  t.strictSame(Object.fromEntries(declared.filter(([, value]) => value !== undefined)), { ...DEFAULT_SETTINGS })
})

t.test('the reserve is the one that was given, else the default', async (t) => {
  t.equal(resolveReserveTokens({ reserveTokens: 1 }), 1)
  t.equal(resolveReserveTokens({}), 16_384)
})
