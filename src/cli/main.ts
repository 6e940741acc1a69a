#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { PrecisError } from '../client/client.ts'
import { ADD_FORMAT, BEFORE_END, NO_JSON_LINE, SEE_ERRORS } from '../errors.ts'
import type { Cli } from './cli.ts'
import { COMMANDS, isCommand, type CommandName } from './commands.ts'
import { numberOf, readArguments, optionTextOf, type Values } from './read-arguments.ts'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import { CliError, EXIT } from './exit.ts'
import { writeCommandHelp, writeCompletion, writeHelp } from './help.ts'
import { ownCommand } from './own-command.ts'
import { withoutControls } from '../text/controls.ts'
import { openTerminal } from './terminal.ts'

type Run = (values: Values, positionals: readonly string[], cli: Cli) => Promise<void>

/** The work of each command, loaded when it is needed: `precis --help` loads none of it. */
const WORK: Readonly<Record<Exclude<CommandName, 'eval'>, Run>> = {
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

/** Problems of a session that cannot be read. */
const UNREADABLE = ['unknown-format', 'invalid-session']

// A reader such as `head` that has seen enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed))

main(process.argv.slice(2)).catch((error: unknown) => {
  const { code, message } = describeError(error)
  process.stderr.write(`precis: ${withoutControls(message)}\n`)
  process.exitCode = code
})

async function main([name = '--help', ...args]: readonly string[]): Promise<void> {
  const terminal = openTerminal(process, process.env)
  if (name === '--help' || name === '-h' || name === 'help') return terminal.print(writeHelp())
  if (name === '--version' || name === '-v') return terminal.print(`${readVersion()}\n`)
  if (!isCommand(name)) throw unknownCommand(name)
  if (name === 'eval') return (await import('../eval/main.ts')).runEval(args)
  const { values, positionals } = readArguments(name, args)
  if (values['help'] === true) return terminal.print(writeCommandHelp(name))
  const cli: Cli = {
    env: process.env,
    home: homedir(),
    folder: process.cwd(),
    command: ownCommand(process.argv, process.env),
    terminal: openTerminal(process, process.env, values['quiet'] === true),
  }
  await WORK[name](values, positionals, cli)
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

function describeError(error: unknown): { code: number; message: string } {
  if (error instanceof CliError) return error
  if (error instanceof PrecisError) return describeProblem(error)
  // The fetch API throws it, with the fault as its cause.
  if (error instanceof TypeError && error.message === 'fetch failed')
    return { code: EXIT.service, message: `The service cannot be reached: ${describeCause(error.cause)}` }
  return { code: EXIT.failed, message: error instanceof Error ? error.message : String(error) }
}

/** What a user of the command line can do about a problem. */
const REMEDIES: Readonly<Record<string, string>> = {
  'nothing-to-compact': ' (--keep TOKENS)',
  'nothing-gained': ' (--keep TOKENS)',
  'token-refused': ' Set PRECIS_TOKENS to a token of this service.',
}

function describeProblem({ type, status, errors, message }: PrecisError): { code: number; message: string } {
  const places = errors.map(({ pointer, detail }) => `\n  ${pointer} ${detail}`).join('')
  if (isNoJson(errors, message))
    return { code: EXIT.notFound, message: message.includes(BEFORE_END) ? withoutEnd(message) : NO_SESSION }
  if (SEND_MESSAGES.test(message)) return { code: EXIT.nothingToCompact, message: message.replace(SEND_MESSAGES, '') }
  // The faults are printed below: no user has to look for a field `errors`.
  const text = message.replace(SEE_ERRORS, '').replace(ADD_FORMAT, 'add `--format` and its name')
  const described = text + (REMEDIES[type] ?? '') + places
  if (type.startsWith('nothing-')) return { code: EXIT.nothingToCompact, message: described }
  if (UNREADABLE.includes(type)) return { code: EXIT.notFound, message: described }
  const isOurs = status === 400 || status === 413 || status === 415 || status === 422
  return { code: isOurs ? EXIT.failed : EXIT.service, message: described }
}

/** What a user has most likely given by mistake: a document, a program, a picture. */
const NO_SESSION =
  'This is no session file that Précis knows: no line of it is JSON. `precis list` shows the sessions of your agents. ' +
  `Known formats are ${FORMAT_IDS.join(', ')}.`

/** Returns whether the service found no JSON at all in a body, not only some broken lines. */
const isNoJson = (errors: PrecisError['errors'], message: string): boolean =>
  message.includes(NO_JSON_LINE) && errors.length > 0

/** What a client of the service can do about a session without messages: its user cannot. */
const SEND_MESSAGES = / Send (?:a session with messages|messages of the user or the assistant)\./

/** Returns the message about a file that ends too early: it may still be written, or was not copied whole. */
const withoutEnd = (message: string): string =>
  `This is no whole session file: it ${(/\bends at [^.]*/.exec(message) ?? [''])[0]}. Give the whole file.`

function describeCause(cause: unknown): string {
  const { code, message = '' } = (cause ?? {}) as { code?: string; message?: string }
  const fault =
    // The fetch standard has a list of such ports ("port blocking").
    message === 'bad port' ? 'Node.js refuses to connect to this port, which belongs to another protocol' : message
  return `${code ?? fault}. Is it running, and is --url right?`
}
