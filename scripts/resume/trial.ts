import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { buildLocalApp } from '../../src/local-app.ts'
import { readSettings } from '../../src/settings.ts'
import { startFakeModel, type AnswerOf, type FakeModel } from './fake-model.ts'

/** How to install and configure a client. */
export interface RealClient {
  /** With the exact versions, such as `@openai/codex@0.169.0`. */
  packages: readonly string[]
  /** Writes the configuration of the client, and returns the environment variables that it needs. */
  configure: (trial: Trial) => Record<string, string> | Promise<Record<string, string>>
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

/** A trial, the environment of its programs, its fake model, and a function that stops the model and Précis. */
export interface OpenTrial {
  trial: Trial
  env: Record<string, string>
  fakeModel: FakeModel
  close: () => Promise<void>
}

/**
 * Installs and configures a client in a scratch folder, and starts a fake model and Précis on loopback addresses.
 * @param answerOf the answers of the model
 */
export async function openTrial({ packages, configure }: RealClient, answerOf?: AnswerOf): Promise<OpenTrial> {
  console.log(packages.join(', '))
  const scratch = process.env['RESUME_TRIAL_DIR'] ?? join(tmpdir(), 'precis-resume')
  const programs = await install(scratch, packages)
  const [fakeModel, precis] = [await startFakeModel(answerOf), await startPrecis()]
  const folder = mkdtempSync(join(scratch, 'trial-'))
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  for (const path of [home, project]) mkdirSync(path)
  const trial: Trial = { home, project, model: fakeModel.url, precis: precis.url, run: () => Promise.resolve('') }
  const env = {
    PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: home,
    PRECIS: precis.url,
    TERM: 'dumb',
    ...(await configure(trial)),
  }
  trial.run = (command, ...args) => runProgram([command, ...args], { cwd: project, env })
  const close = async (): Promise<void> => {
    fakeModel.close()
    await precis.close()
  }
  return { trial, env, fakeModel, close }
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
  const config = readSettings({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
  const app = await buildLocalApp(config)
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
