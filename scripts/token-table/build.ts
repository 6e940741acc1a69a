import { writeFileSync } from 'node:fs'
import { LARGEST_TOKENS } from '../../src/tokens/estimate-tokens.ts'
import { collectTexts } from './collect-texts.ts'
import { countPairs, emptyCounts } from './count-pairs.ts'
import { smoothCounts } from './smooth-counts.ts'

/**
 * `npm run token-table`: counts how many tokens of o200k end between two classes of characters, and writes
 * src/tokens/token-table.ts. The weights follow the text that agents read and write: prose, code, and code in JSON.
 */
const WEIGHTS: Record<string, number> = {
  prose: 4,
  code: 2,
  source: 2,
  escaped: 1.5,
  json: 1,
  declarations: 0.3,
  'zh-cn': 1,
  'zh-tw': 0.3,
  ja: 1,
  ko: 1,
  ru: 1,
}
/** A higher weight of other languages in Latin letters would make the estimates for English too large. */
const OTHER_WEIGHT = 0.05

const counts = emptyCounts()
for (const [kind, texts] of Object.entries(collectTexts())) {
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  const weight = ((WEIGHTS[kind] ?? OTHER_WEIGHT) * 1e6) / characters
  for (const text of texts) countPairs(counts, text, weight)
  process.stdout.write(`${kind}: ${texts.length} texts, ${characters} characters\n`)
}
const table = Buffer.from(quantize(smoothCounts(counts))).toString('base64')
const file = new URL('../../src/tokens/token-table.ts', import.meta.url)
writeFileSync(
  file,
  `/** Written by \`npm run token-table\`, read by estimate-tokens.ts: tokens of o200k between two classes of characters. */\nexport const TOKEN_TABLE =\n  '${table}'\n`,
)

/** Writes each value as a byte; the square root keeps small shares distinct. */
function quantize(values: Float64Array): Uint8Array {
  return Uint8Array.from(values, (value) =>
    Math.round(255 * Math.sqrt(Math.min(value, LARGEST_TOKENS) / LARGEST_TOKENS)),
  )
}
