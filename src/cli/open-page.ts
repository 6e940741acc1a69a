import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { commandWords } from '../model/commands/command-words.ts'
import type { Cli } from './cli.ts'
import { writerNamed } from './commands-that-write.ts'
import { CliError } from './exit.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { preparedFor } from './prepared/use-prepared.ts'
import type { Values } from './read-arguments.ts'
import { buildOwnApp } from './service.ts'

/** Options of `precis compact` that are controls of the page, or that another command has to do. */
const OTHERS = [
  'write',
  'edit',
  'reply',
  'keep',
  'budget',
  'focus',
  'prepared',
  'window',
  'url',
  'format',
  'no-recall',
  'quiet',
]

/**
 * `precis compact --open`: serves the page with a session in it at a loopback address, to this user alone, and opens it in the browser.
 * It ends with Ctrl-C.
 */
export async function openPage(values: Values, argument: string, cli: Cli): Promise<void> {
  const other = OTHERS.find((name) => name in cli.given || (name === 'url' && name in values))
  if (other !== undefined)
    throw new CliError('usage', `--open and --${other} exclude each other: the page has controls for a compaction.`)
  const source = findNamedSession(argument, cli)
  const document = Buffer.from(await readSession(source, cli))
  const name = source.kind === 'file' ? basename(source.path) : source.kind === 'database' ? source.id : 'session'
  const token = randomBytes(24).toString('base64url')
  const { env, terminal } = cli
  const app = await buildOwnApp(
    {
      ...{ ...writerNamed(values, cli), env },
      local: { ...preparedFor(values, cli), sessionForPage: { name, document } },
    },
    [token],
  )
  const ended = untilEnded()
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const url = `${address}/#token=${token}`
    terminal.say(`The page, with a password that only you have: ${url}`)
    terminal.say('Ctrl-C ends it.')
    const place = mkdtempSync(join(tmpdir(), 'precis-open-'))
    try {
      showInBrowser(url, place, cli)
      await ended
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  } finally {
    await app.close()
  }
}

/** Waits for a signal that ends a command. */
const untilEnded = (): Promise<unknown> =>
  Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name)))

/**
 * Starts the user's browser with a file that leads to an address. Other users see the arguments of a process: the address has a
 * password, and the file is for this user alone. If there is no browser, the address was printed.
 */
function showInBrowser(url: string, folder: string, { env, folder: cwd }: Cli): void {
  const path = join(folder, 'open.html')
  writeFileSync(path, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}"><title>Précis</title>\n`, {
    mode: 0o600,
  })
  const [program = '', ...args] = browserOf(env)
  const child = spawn(program, [...args, path], { cwd, env: { ...env }, detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
}

function browserOf(env: Cli['env']): string[] {
  const named = env['BROWSER']?.trim() ?? ''
  if (named !== '') return commandWords(named)
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['cmd', '/c', 'start', '""'] : ['xdg-open']
}
