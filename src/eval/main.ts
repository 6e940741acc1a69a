import { evaluate } from './evaluate.ts'
import { readOptions, USAGE } from './options.ts'
import { writeTable } from './report-text.ts'

const args = process.argv.slice(2)

if (args.includes('--help') || args.length === 0) process.stdout.write(`${USAGE}\n`)
else
  run().catch((error: unknown) => {
    process.stderr.write(`eval: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })

/** Runs an evaluation: progress on stderr, the table on stdout. */
async function run(): Promise<void> {
  const print = (line: string): void => void process.stderr.write(`${line}\n`)
  const result = await evaluate(readOptions(args), { env: process.env, print })
  // Idle connections to model servers would keep the process running for a while.
  process.stdout.write(`\n${writeTable(result)}\n`, () => process.exit(0))
}
