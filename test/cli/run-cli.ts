import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { SESSIONS } from '../support/agent-sessions.ts'
import { compiled } from '../support/compile-source.ts'
import { ROOT } from '../support/run-server.ts'

/** The command line, as JavaScript. */
export const MAIN = compiled('src/cli/main.ts')
export const EXAMPLE = join(ROOT, 'examples/session.jsonl')

/** The sentences of a first turn that is replaced also where a compaction keeps 20,000 tokens, as it does by itself. */
export const SENTENCES_ABOVE_DEFAULT = 2590

/** Returns a session whose first turn is so long that a compaction that keeps little saves most of it. */
export const largeSession = (format: string, sentences = 400): string =>
  (SESSIONS[format] ?? '').replaceAll(
    'The parser is fixed.',
    `The parser is fixed. ${'It reads the lines of the file one by one. '.repeat(sentences)}`,
  )

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  /** Default: an empty folder. */
  home?: string
  /** The current folder; default: the one for temporary files. */
  cwd?: string
  env?: Record<string, string>
  input?: string
  /** Instead of the input: what a user types, of `runCli`. */
  stdin?: Readable
  /** How the user calls the command line, of `runCli`. */
  command?: string
}

/** Starts the command line as a process of its own, in a home folder of its own. */
export function startCli(args: readonly string[], { home = tmpdir(), cwd = tmpdir(), env = {} }: RunOptions = {}) {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: dirname(process.execPath), HOME: home, ...env },
  })
}

/** Runs a command to its end, as a process of its own. */
export async function runProcess(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startCli(args, options)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/**
 * Runs a command to its end, in this process: as a process of its own, it needs twenty times the CPU time. Each command also runs
 * at least once as a process (`runProcess`).
 */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { home = tmpdir(), cwd = tmpdir(), input = '', command = 'precis' } = options
  const { stdin = Readable.from([Buffer.from(input)]) } = options
  const env = { PATH: dirname(process.execPath), HOME: home, ...options.env }
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const code = await runCommandLine(args, {
    ...{ env, home, folder: cwd, stdin },
    ...{ stdout: asTerminal(stdout), stderr: asTerminal(stderr), command },
    self: [process.execPath, MAIN],
  })
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { code, stdout: out, stderr: err }
}

/** The commands only write, and ask whether there is a terminal. */
const asTerminal = (stream: PassThrough): NodeJS.WriteStream => stream as unknown as NodeJS.WriteStream

/** Writes a file that was last changed some hours ago. Returns its path. */
export function writeOld(path: string, content: string | Buffer, hours = 1): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  const seconds = Date.now() / 1000 - hours * 3600
  utimesSync(path, seconds, seconds)
  return path
}

/** Runs a piece of work as a user who is not the administrator, and to whom a folder belongs: permissions count for them. */
export function asUser<T>(folder: string, work: () => T): T {
  if (process.getuid?.() !== 0) return work()
  for (const path of [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ])
    chownSync(path, NOBODY, NOBODY)
  process.seteuid?.(NOBODY)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}

const NOBODY = 65_534

/** Writes a command that runs a script of Node. Returns a PATH with it. */
export function writeCommand(folder: string, name: string, script: string): string {
  writeFileSync(join(folder, `${name}.cjs`), script)
  writeFileSync(join(folder, name), `#!/bin/sh\nexec "${process.execPath}" "${join(folder, `${name}.cjs`)}" "$@"\n`)
  chmodSync(join(folder, name), 0o755)
  return `${folder}:/usr/bin:/bin`
}
