import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { CORPUS } from './sessions.ts'

/**
 * Builds the sessions of the evaluation corpus: `npx tsx eval/corpus/build.ts --from FOLDER --out FOLDER [NAME...]`.
 * `--summary FILE`, once for each compaction that has happened, writes the summaries into the chain.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, out: { type: 'string' }, summary: { type: 'string', multiple: true } },
})
const { from, out, summary = [] } = values
if (from === undefined || out === undefined)
  throw new Error('Give --from, the folder with the real sessions, and --out, the folder for the corpus.')

const summaries = summary.map((path) => readFileSync(path, 'utf8'))
for (const { name, ending, cuts, build } of CORPUS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const path = join(out, `${name}.${ending}`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, build({ from, summaries }))
  process.stdout.write(`${path} --cut ${cuts.join(', --cut ')}\n`)
}
