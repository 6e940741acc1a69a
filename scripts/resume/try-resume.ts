import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { loadTemplates } from '../../src/prompt/templates.ts'
import { hasTools, newestRequest, startFakeModel, type FakeModel } from './fake-model.ts'

/** How to use a client without its user interface. */
export interface Client {
  /** With the exact versions, such as `@openai/codex@0.169.0`. */
  packages: readonly string[]
  /** Writes the configuration of the client, and returns the environment variables that it needs. */
  configure: (trial: Trial) => Record<string, string>
  /** Sends one request; the first one starts a session, the others resume it. */
  ask: (trial: Trial, prompt: string, isFirst: boolean) => Promise<unknown>
  /** Compacts the session of the stopped client with the documented command. */
  compact: (trial: Trial, query: string) => Promise<unknown>
  /** The name of the client in `precis list`, and its command to resume, as a command without a user interface. */
  listed?: { agent: string; answering: (command: string) => string }
}

export interface Trial {
  /** The home folder of the client, and the project that it works on. */
  home: string
  project: string
  /** The base URLs of the fake model and of Précis. */
  model: string
  precis: string
  /** Runs a program in the project, with the programs of the packages before all others, and returns its output. */
  run: (command: string, ...args: string[]) => Promise<string>
}

/**
 * Makes a session of three requests with the real client and a fake model, compacts it, resumes it, and checks what the
 * client sends to its model; then the same again, with the last turn kept. Everything is on loopback addresses and in a
 * scratch folder. The exit code is 1 if a check fails.
 */
export async function tryResume(client: Client): Promise<void> {
  const { trial, model, close } = await openTrial(client)
  try {
    for (const number of [1, 2, 3]) await client.ask(trial, promptOf(number), number === 1)
    check(model, 3, { gone: [], kept: ['request-1', 'answer-1', 'output-of-request-2'] })
    await client.compact(trial, 'reply=native&keepRecentTokens=1')
    await client.ask(trial, promptOf(4), false)
    check(model, 4, { gone: [1, 2], kept: ['answer-3'] })
    await client.compact(trial, 'reply=native&keepRecentTokens=300')
    await client.ask(trial, promptOf(5), false)
    check(model, 5, { gone: [1, 2, 3], kept: ['output-of-request-4', 'answer-4'] })
  } finally {
    await close()
  }
}

/** Installs a client, and starts a fake model and Précis for it. */
export async function openTrial(client: Client) {
  const scratch = process.env['PRECIS_RESUME_DIR'] ?? join(tmpdir(), 'precis-resume')
  const programs = await install(scratch, client.packages)
  const [model, precis] = [await startFakeModel(), await startPrecis()]
  const folder = mkdtempSync(join(scratch, 'trial-'))
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  for (const path of [home, project]) mkdirSync(path)
  const base = {
    PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: home,
    PRECIS: precis.url,
    TERM: 'dumb',
  }
  const trial: Trial = { home, project, model: model.url, precis: precis.url, run: () => Promise.resolve('') }
  const env = { ...base, ...client.configure(trial) }
  trial.run = (command, ...args) => runProgram([command, ...args], { cwd: project, env })
  console.log(client.packages.join(', '))
  const close = async (): Promise<void> => {
    model.close()
    await precis.close()
  }
  return { trial, model, env, close }
}

/**
 * Returns the file below a folder whose name has the ending and that was written last. Gemini CLI begins a second file when it
 * resumes a session, but goes on writing to the first one.
 */
export function newestFile(folder: string, ending: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))
  const files = names.map((name) => ({ path: join(folder, name), writtenAt: statSync(join(folder, name)).mtimeMs }))
  const newest = files.sort((a, b) => a.writtenAt - b.writtenAt).at(-1)
  if (newest === undefined) throw new Error(`The client has written no file "*${ending}" in ${folder}.`)
  return newest.path
}

/** Appends a compaction to a session file, with the command of docs/agents.md. */
export function appendCompaction({ run }: Trial, file: string, query: string): Promise<string> {
  const curl = `curl -fsS "$PRECIS/compaction?${query}" --data-binary @"$0" -o new && cat new >> "$0"`
  return run('sh', '-c', curl, file)
}

async function install(scratch: string, packages: readonly string[]): Promise<string> {
  const folder = join(scratch, packages.join('+').replaceAll('/', '-'))
  const programs = join(folder, 'node_modules', '.bin')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(programs)) {
    const args = ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]
    await runProgram(args, { cwd: folder, env: process.env })
  }
  return programs
}

async function startPrecis(): Promise<{ url: string; close: () => Promise<unknown> }> {
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
  const templates = loadTemplates(new URL('../../prompts/', import.meta.url))
  const summarizer = await createSummarizer(config, templates)
  const app = await buildApp({ config, templates, summarizer, ...config, maxEventLoopDelayMs: Infinity })
  return { url: await app.listen({ host: config.host, port: config.port }), close: () => app.close() }
}

/** How long a program may run. */
const TIMEOUT_MS = 300_000

/** Runs a program to its end, and returns what it prints to stdout. */
export function runProgram(
  [command = '', ...args]: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS })
    const chunks: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else
        reject(
          new Error(
            `${command} ended with ${code ?? signal ?? ''}:\n${Buffer.concat([...chunks, ...errors])
              .toString('utf8')
              .slice(-4000)}`,
          ),
        )
    })
  })
}

export const promptOf = (number: number): string =>
  `This is request-${number}: explain module ${number} of the program.`

/** Checks the first request to the model after a compaction: the summary is there, and the turns before it are not. */
export function check(model: FakeModel, number: number, { gone, kept }: { gone: number[]; kept: string[] }): void {
  const request = model.requests.find((request) => hasTools(request) && newestRequest(request.texts) === number)
  const texts = request?.texts ?? []
  // A summary quotes what it replaces.
  const others = texts.filter((text) => !isSummary(text))
  const has = (marker: string): boolean => others.some((text) => new RegExp(`\\b${marker}\\b`).test(text))
  const old = gone.flatMap((turn) => [`request-${turn}`, `answer-${turn}`, `output-of-request-${turn}`])
  report(`request ${number} reached the model`, request !== undefined)
  if (gone.length > 0) report(`request ${number} has one summary`, texts.length - others.length === 1)
  for (const marker of old) report(`request ${number} has no ${marker} outside the summary`, !has(marker))
  for (const marker of [...kept, `request-${number}`]) report(`request ${number} has ${marker}`, has(marker))
}

const isSummary = (text: string): boolean => /^## Goal$/m.test(text)

function report(claim: string, isTrue: boolean): void {
  console.log(`${isTrue ? 'ok  ' : 'FAIL'} ${claim}`)
  if (!isTrue) process.exitCode = 1
}
