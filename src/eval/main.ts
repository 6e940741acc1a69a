import { evaluate } from './evaluate.ts'
import { readOptions, USAGE } from './options.ts'
import { writeTable } from './report-text.ts'
import { withoutControls } from '../text/controls.ts'

/** Runs an evaluation: progress on stderr, the table on stdout. @throws Error that names the fault and its remedy */
export async function runEval(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.length === 0) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  const print = (line: string): void => void process.stderr.write(`${withoutControls(line)}\n`)
  const result = await evaluate(readOptions(args), { env: process.env, print })
  // Idle connections to model servers would keep the process running for a while.
  process.stdout.write(`\n${withoutControls(writeTable(result))}\n`, () => process.exit(0))
}
