import { oneLine } from '../text/shorten.ts'
import { onlyLooks } from './exit-status.ts'
import { filesOf, outcomeOf, simpleCommandsOf, type PairedMessages } from './runs.ts'
import type { WorkRead } from './work-item.ts'

/** As many of the newest are kept: what follows them may be a long turn. */
const MAX_READS = 200

/** Returns the files that messages have read and the commands that only look, each once with its newest mention, in order. */
export function findReads({ messages, runs }: PairedMessages): WorkRead[] {
  const reads = new Map<string, number>()
  for (const [at, message] of messages.entries()) {
    const run = message.role === 'assistant' ? undefined : runs.get(message)
    if (run === undefined || outcomeOf(run).kind === 'failed') continue
    const looks = run.command !== undefined && onlyLooks(simpleCommandsOf(run)) ? [oneLine(run.command)] : []
    for (const read of [...filesOf(run).readFiles, ...looks]) {
      reads.delete(read)
      reads.set(read, at)
    }
  }
  return Array.from(reads, ([text, at]) => ({ text, at })).slice(-MAX_READS)
}
