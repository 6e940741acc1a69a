import { readFileSync } from 'node:fs'
import { readStates } from './states.ts'
import { writeStateSheet } from './state-sheet.ts'

/**
 * Prints which lines of a summary a person looks at to count wrong states:
 * `npx tsx eval/count-states.ts SUMMARY.md NAME.states.json`.
 */
const [summary, states] = process.argv.slice(2)
if (summary === undefined || states === undefined)
  throw new Error('Give a file with a summary, and the file with the states of its session.')

const sheet = writeStateSheet(readFileSync(summary, 'utf8'), readStates(readFileSync(states, 'utf8')))
for (const [name, suspects] of Object.entries(sheet)) {
  process.stdout.write(`\n${name}: ${suspects.length} to look at\n`)
  for (const { line, section, text, known } of suspects)
    process.stdout.write(`- [ ] line ${line}, ${section}: ${text}\n${known === '' ? '' : `      ${known}\n`}`)
}
