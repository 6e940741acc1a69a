import type { Client, PruneReply } from '../client/client.ts'
import { DEFAULT_PRUNE } from '../plan/prune-tool-outputs.ts'
import { defined } from '../text/defined.ts'
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
    minimumSavings: numberOf(values, 'least'),
    format: optionTextOf(values, 'format'),
    ...(writes && { native: true }),
  }
  const { client, close } = await openService({ env: cli.env })
  try {
    const document = held?.bytes ?? (await readSession(source, cli))
    const reply = await client.prune(document, { query })
    const { pruned, tokensSaved, native, report } = reply
    sayUnread(report, terminal)
    if (values['json'] === true) await terminal.printJson({ pruned, tokensSaved })
    if (pruned.length === 0)
      throw new CliError(
        'nothingToCompact',
        await explainNone(query, (more) => client.prune(document, { query: more })),
      )
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

type Query = NonNullable<NonNullable<Parameters<Client['prune']>[1]>['query']>

/** Returns why nothing is removed, and what other options would save. */
async function explainNone(query: Query, prune: (query: Query) => Promise<PruneReply>): Promise<string> {
  const { protectTokens, minimumSavings } = { ...DEFAULT_PRUNE, ...defined(query) }
  const { native: _native, ...others } = query
  const saved = async (keep: number): Promise<number> =>
    (await prune({ ...others, protectTokens: keep, minimumSavings: 0 })).tokensSaved
  const most = await saved(0)
  if (most === 0) return 'No tool output of this session can be removed.'
  return (
    `Nothing is removed: with --keep ${protectTokens}, ${counted(await saved(protectTokens), 'token')} would be saved, and at least ` +
    `${count(minimumSavings)} are wanted (--least). With --keep 0 it would be ${count(most)}.`
  )
}
