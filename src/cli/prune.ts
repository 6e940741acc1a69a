import type { PruneReply } from '../client/client.ts'
import { DEFAULT_PRUNE } from '../plan/prune-tool-outputs.ts'
import { count, counted } from '../text/numbers.ts'
import type { Cli } from './cli.ts'
import { CliError } from './exit.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { numberOf, optionTextOf, type Values } from './read-arguments.ts'
import { continueWithFile, undoWith } from './resume.ts'
import { sayUnread } from './say-unread.ts'
import { openService } from './service.ts'
import { holdFile, writeIntoFile } from './write-back.ts'

/** `precis prune`: says which old tool outputs can go, and removes them from the session file if that was asked for. */
export async function pruneInFile(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  const { terminal } = cli
  const writes = values['write'] === true
  const source = findNamedSession(argument, cli)
  if (writes && source.kind !== 'file') throw new CliError('usage', '--write needs a session file, or the id of one.')
  const held = writes && source.kind === 'file' ? await holdFile(source.path) : undefined
  const query = {
    protectTokens: numberOf(values, 'keep'),
    // The reply says what would be saved, also if that is too little.
    minimumSavings: 0,
    format: optionTextOf(values, 'format'),
    ...(writes && { native: true }),
  }
  const { client, close } = await openService({ env: cli.env })
  try {
    const document = held?.bytes ?? (await readSession(source, cli))
    const reply = await client.prune(document, { query })
    const { native, report } = reply
    const least = numberOf(values, 'least') ?? DEFAULT_PRUNE.minimumSavings
    const { pruned, tokensSaved } = reply.tokensSaved < least ? { pruned: [], tokensSaved: 0 } : reply
    sayUnread(report, terminal)
    if (values['json'] === true) await terminal.printJson({ pruned, tokensSaved })
    if (pruned.length === 0)
      throw new CliError('nothingToCompact', explainNone(reply, { keep: query.protectTokens, least }))
    const outputs = `${counted(pruned.length, 'old tool output')}, ${counted(tokensSaved, 'token')}`
    if (held === undefined || native === undefined || source.kind !== 'file') {
      terminal.say(`${outputs} could go: --write removes them from the session file.`)
      return
    }
    writeIntoFile(held, native)
    terminal.say(`Removed ${outputs}, from ${held.path}. ${undoWith(source, cli.command)}`)
    for (const line of continueWithFile(report?.format ?? 'pi', { path: held.path, body: native.body }, cli))
      terminal.say(line)
  } finally {
    await close()
  }
}

/** Returns why nothing is removed, and what other options would save. */
function explainNone(
  { tokensSaved, mostTokensSaved }: PruneReply,
  { keep = DEFAULT_PRUNE.protectTokens, least }: { keep: number | undefined; least: number },
): string {
  if (mostTokensSaved === 0) return 'No tool output of this session can be removed.'
  return (
    `Nothing is removed: with --keep ${keep}, ${counted(tokensSaved, 'token')} would be saved, and at least ${count(least)} are wanted ` +
    `(--least). With --keep 0 it would be ${count(mostTokensSaved)}.`
  )
}
