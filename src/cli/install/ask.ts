import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Cli } from '../cli.ts'

/** Returns whether somebody can answer a question. */
export const canAsk = ({ stdin }: Pick<Cli, 'stdin'>): boolean => (stdin as { isTTY?: boolean }).isTTY === true

/** Asks a question, and waits for a line from the user. Returns whether it says yes. */
export async function askYesNo(
  question: string,
  { stdin, terminal }: Pick<Cli, 'stdin' | 'terminal'>,
): Promise<boolean> {
  terminal.say(`${question} [y/N]`)
  const lines = createInterface({ input: stdin as unknown as Readable })
  try {
    // The end of the input is an answer, too.
    const answered = await Promise.race([once(lines, 'line'), once(lines, 'close')])
    return /^\s*y(?:es)?\s*$/i.test(String(answered[0] ?? ''))
  } finally {
    lines.close()
  }
}
