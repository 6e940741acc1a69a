import { chinese } from './support/chinese.ts'
import { compareTranscripts } from './support/compare-transcripts.ts'
import { describeMachine } from './support/describe-machine.ts'
import { english } from './support/english.ts'
import { generateSession } from './support/generate-session.ts'
import { printTable } from './support/print-table.ts'
import { readRealSession } from './support/read-real-session.ts'
import { readSession } from './support/read-session.ts'

/**
 * Measures the transcript that a model reads, compared with the same one in which every output is cut to its first 2000
 * characters: distinct error lines of failing commands, characters, and tokens over the whole session.
 */
const SEED = 4242
const real = readRealSession()
const SESSIONS: [name: string, entries: readonly unknown[]][] = [
  ...(real === undefined ? [] : [['real, 1 MB', real] as [string, readonly unknown[]]]),
  ['generated, English', generateSession(english, { characters: 4_000_000, seed: SEED }).entries],
  ['generated, Chinese', generateSession(chinese, { characters: 4_000_000, seed: SEED }).entries],
]

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${Math.round((100 * part) / whole)} %`)

console.log(`${describeMachine()}; seed ${SEED}`)
if (real === undefined) console.log('The real session is missing and is left out.')
const rows = SESSIONS.map(([name, entries]) => {
  const messages = readSession({ entries }).entries.flatMap(({ message }) => message ?? [])
  const { errorLines, chosen, head } = compareTranscripts(messages)
  return [
    name,
    String(errorLines),
    percent(chosen.errorLines, errorLines),
    percent(head.errorLines, errorLines),
    String(chosen.characters),
    String(head.characters),
    (chosen.tokens / head.tokens).toFixed(2),
  ]
})
printTable(
  ['session', 'error lines', 'chosen', 'head', 'characters, chosen', 'characters, head', 'tokens, chosen / head'],
  rows,
)
