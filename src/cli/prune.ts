import type { PruneReply } from '../client/client.ts'
import { DEFAULT_PRUNE } from '../plan/prune-tool-outputs.ts'
import { shellWord } from '../text/controls.ts'
import { defined } from '../text/defined.ts'
import { count, counted } from '../text/numbers.ts'
import type { Cli } from './cli.ts'
import { CliError } from './exit.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { numberOf, optionTextOf, type Values } from './read-arguments.ts'
import { continueWithFile, undoWith } from './resume.ts'
import { sayUnread } from './say-remarks.ts'
import { withService } from './service.ts'
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
  }
  await withService({ env: cli.env }, async (client) => {
    const document = held?.bytes ?? (await readSession(source, cli))
    const reply = await client.prune(document, { query: { ...query, ...(writes && { native: true }) } })
    const { native, report } = reply
    const least = numberOf(values, 'least') ?? DEFAULT_PRUNE.minimumSavings
    const { pruned, tokensSaved } = reply.tokensSaved < least ? { pruned: [], tokensSaved: 0 } : reply
    sayUnread(report, terminal)
    if (values['json'] === true) await terminal.printJson({ pruned, tokensSaved })
    if (pruned.length === 0) {
      const keep = query.protectTokens ?? DEFAULT_PRUNE.protectTokens
      const other = await suggest(reply, { keep, least, document, format: query.format })
      const named = `${cli.command} prune ${shellWord(argument)}${writes ? ' --write' : ''}`
      throw new CliError('nothingToCompact', explainNone(reply, { keep, least, other, named }))
    }
    const outputs = `${counted(pruned.length, 'old tool output')}, ${counted(tokensSaved, 'token')}`
    if (held === undefined || native === undefined || source.kind !== 'file') {
      terminal.say(`${outputs} could go: --write removes them from the session file.`)
      return
    }
    writeIntoFile(held, native)
    terminal.say(`Removed ${outputs}, from ${held.path}. ${undoWith(source, cli.command)}`)
    for (const line of continueWithFile(report?.format ?? 'pi', { path: held.path, body: native.body }, cli))
      terminal.say(line)
  })
}

/** Options with which something is removed, and the tokens that they save. */
interface OtherOptions {
  keep: number
  /** Left out if what was asked for is saved. */
  least?: number
  tokensSaved: number
}

interface Asked {
  keep: number
  least: number
  document: Buffer
  format: string | undefined
}

/** Returns options with which it is worth it, or at least half of all that could go goes: those that keep the most. */
async function suggest(
  { mostTokensSaved }: PruneReply,
  { keep, least, document, format }: Asked,
): Promise<OtherOptions | undefined> {
  if (mostTokensSaved === 0) return undefined
  const wanted = Math.min(least, mostTokensSaved / 2)
  const keeps = [1, 1 / 2, 1 / 4, 1 / 8, 0].map((share) => Math.round(keep * share))
  // Read once more, and not for each number.
  const { tokensSavedWith } = await import('../use-cases/prune/work.ts')
  const saved = tokensSavedWith({ body: document, isLines: true, query: defined({ format }) }, keeps)
  const others = saved.map((tokensSaved, index) => ({ keep: keeps[index] ?? 0, tokensSaved }))
  const other = others.find(({ tokensSaved }) => tokensSaved >= wanted)
  return other && { ...other, ...(other.tokensSaved < least && { least: roundDown(other.tokensSaved) }) }
}

const roundDown = (tokens: number): number => Math.floor(tokens / 1000) * 1000

/** Returns why nothing is removed, and a command that removes something. */
function explainNone(
  { tokensSaved }: PruneReply,
  { keep, least, other, named }: { keep: number; least: number; other: OtherOptions | undefined; named: string },
): string {
  if (other === undefined) return 'No tool output of this session can be removed.'
  const options = [`--keep ${other.keep}`, ...(other.least === undefined ? [] : [`--least ${other.least}`])].join(' ')
  return (
    `Nothing is removed: with --keep ${keep}, ${counted(tokensSaved, 'token')} would be saved, and at least ${count(least)} are wanted ` +
    `(--least). This saves ${counted(other.tokensSaved, 'token')}: ${named} ${options}`
  )
}
