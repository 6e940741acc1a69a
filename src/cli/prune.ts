import { resolve } from 'node:path'
import { quote } from '../text/controls.ts'
import { counted } from '../text/numbers.ts'
import type { Cli } from './cli.ts'
import { CliError } from './exit.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { numberOf, optionTextOf, type Values } from './read-arguments.ts'
import { continueWithFile } from './resume.ts'
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
    const reply = await client.prune(held?.bytes ?? (await readSession(source, cli)), { query })
    const { pruned, tokensSaved, native, report } = reply
    sayUnread(report, terminal)
    if (values['json'] === true) await terminal.printJson({ pruned, tokensSaved })
    if (pruned.length === 0)
      throw new CliError('nothingToCompact', 'There are not enough old tool outputs to remove. (--keep, --least)')
    const outputs = `${counted(pruned.length, 'old tool output')}, ${counted(tokensSaved, 'token')}`
    if (held === undefined || native === undefined) {
      terminal.say(`${outputs} could go: --write removes them from the session file.`)
      return
    }
    writeIntoFile(held, native)
    terminal.say(
      `Removed ${outputs}, from ${held.path}. Undo it with: ${cli.command} restore ${quote(resolve(held.path))}`,
    )
    for (const line of continueWithFile(report?.format ?? 'pi', { path: held.path, body: native.body }, cli))
      terminal.say(line)
  } finally {
    await close()
  }
}
