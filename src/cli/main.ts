#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Cli } from './cli.ts'
import { COMMANDS, isCommand, type CommandName } from './commands.ts'
import { numberOf, readArguments, optionTextOf, type Values } from './read-arguments.ts'
import { describeError, type Given } from './describe-error.ts'
import { CliError, EXIT } from './exit.ts'
import { writeCommandHelp, writeCompletion, writeHelp } from './help.ts'
import { ownCommand } from './own-command.ts'
import { withoutControls } from '../text/controls.ts'
import { openTerminal } from './terminal.ts'

type Run = (values: Values, positionals: readonly string[], cli: Cli) => Promise<void>

/** The work of each command, loaded when it is needed: `precis --help` loads none of it. */
const WORK: Readonly<Record<CommandName, Run>> = {
  serve,
  compact: async (...all) => (await import('./compact.ts')).compact(...all),
  plan: async (...all) => (await import('./plan.ts')).plan(...all),
  list: async (...all) => (await import('./list.ts')).list(...all),
  restore,
  completion: async (_values, [shell = ''], { terminal }) => {
    const text = writeCompletion(shell)
    if (text === undefined)
      throw new CliError('usage', `There are completions for bash, zsh and fish, not for "${shell}".`)
    await terminal.print(text)
  },
}

// A reader such as `head` that has seen enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed))

main(process.argv.slice(2)).catch((error: unknown) => {
  fail(error)
})

function fail(error: unknown, given?: Given): void {
  const { code, message } = describeError(error, given)
  process.stderr.write(`precis: ${withoutControls(message)}\n`)
  process.exitCode = code
}

async function main([name = '--help', ...args]: readonly string[]): Promise<void> {
  const terminal = openTerminal(process, process.env)
  if (name === '--help' || name === '-h' || name === 'help') return terminal.print(writeHelp())
  if (name === '--version' || name === '-v') return terminal.print(`${readVersion()}\n`)
  if (!isCommand(name)) throw unknownCommand(name)
  const { values, positionals } = readArguments(name, args)
  if (values['help'] === true) return terminal.print(writeCommandHelp(name))
  const cli: Cli = {
    env: process.env,
    home: homedir(),
    folder: process.cwd(),
    command: ownCommand(process.argv, process.env),
    terminal: openTerminal(process, process.env, values['quiet'] === true),
  }
  try {
    await WORK[name](values, positionals, cli)
  } catch (error) {
    fail(error, { session: positionals[0], url: optionTextOf(values, 'url') })
  }
}

function unknownCommand(name: string): CliError {
  const names = Object.keys(COMMANDS).join(', ')
  return new CliError('usage', `There is no command "${name}". Choose one of ${names}. Try: precis --help`)
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}

/** `precis serve`: starts the service in this process. */
async function serve(values: Values): Promise<void> {
  const [host, port] = [optionTextOf(values, 'host'), numberOf(values, 'port', { most: 65_535 })]
  if (host !== undefined) process.env['HOST'] = host
  if (port !== undefined) process.env['PORT'] = String(port)
  // The module starts when it is loaded.
  await import('../server.ts')
}

/** `precis restore`: undoes the last compaction that was written into a session. */
async function restore(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  const { findNamedSession } = await import('./find-session.ts')
  const source = findNamedSession(argument, cli)
  if (source.kind !== 'file')
    throw new CliError(
      'usage',
      'Only session files can be restored. opencode still has the older messages: undo it there.',
    )
  const { restoreFile } = await import('./write-back.ts')
  const { backup, copy } = await restoreFile(source.path, values['force'] === true)
  cli.terminal.say(`Restored ${source.path} from ${backup}`)
  if (copy !== undefined) cli.terminal.say(`The session as it was before is in ${copy}`)
}
