import { withoutControls } from '../src/text/controls.ts'
import { evaluate } from './evaluate.ts'
import { readOptions, USAGE } from './options.ts'
import { writeTable } from './report-text.ts'

/** `npm run eval`: progress and errors on stderr, the table on stdout. */
const args = process.argv.slice(2)
const print = (line: string): void => void process.stderr.write(`${withoutControls(line)}\n`)

// A reader such as `head` that has seen enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

if (args.includes('--help') || args.length === 0) process.stdout.write(`${USAGE}\n`)
else
  run().catch((error: unknown) => {
    print(`precis: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })

async function run(): Promise<void> {
  const result = await evaluate(readOptions(args), { env: process.env, print })
  // Idle connections to model servers would keep the process running for a while.
  process.stdout.write(`\n${withoutControls(writeTable(result))}\n`, () => process.exit(0))
}
