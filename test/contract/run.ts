import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { loadTemplates } from '../../src/prompt/templates.ts'

/**
 * `npm run test:contract`: openapi.yaml has no fault, and clients that three generators make of it compile and can do what
 * README does. The generators are installed here, because nothing else needs them.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url))
const TSX = import.meta.resolve('tsx')

await main()

async function main(): Promise<void> {
  await install()
  rmSync(`${HERE}generated`, { recursive: true, force: true })
  await lint()
  const contract = '../../openapi.yaml'
  await Promise.all([
    run('openapi-typescript', contract, '--output', 'generated/types.ts'),
    run('openapi-ts', '--input', contract, '--output', 'generated/hey-api', '--client', '@hey-api/client-fetch'),
    run('orval', '--input', contract, '--output', 'generated/orval.ts', '--client', 'fetch'),
  ])
  await run('tsc', '--project', 'tsconfig.json')
  await runClients()
  process.stdout.write('The contract has no fault, and three generated clients compile and work.\n')
}

/** Installs the generators, unless those of the lock file are installed. */
async function install(): Promise<void> {
  const installed = `${HERE}node_modules/.package-lock.json`
  const names = (file: string): string => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version?: string }> }
    const { dependencies } = JSON.parse(readFileSync(`${HERE}package.json`, 'utf8')) as { dependencies: object }
    return Object.keys(dependencies)
      .map((name) => `${name}@${packages[`node_modules/${name}`]?.version ?? ''}`)
      .join()
  }
  if (existsSync(installed) && names(installed) === names(`${HERE}package-lock.json`)) return
  // Their scripts after the installation only report it, or check a binary.
  await start('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** @throws Error if the linter has an error or a warning */
async function lint(): Promise<void> {
  const output = await run('redocly', 'lint', '../../openapi.yaml', '--extends', 'recommended', '--format', 'json')
  const { totals, problems } = JSON.parse(output.slice(output.indexOf('{'))) as {
    totals: { errors: number; warnings: number }
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[]
  }
  if (totals.errors + totals.warnings === 0) return
  const lines = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`)
  throw new Error(`openapi.yaml has faults:\n${lines.join('\n')}`)
}

/** Runs each client against a service on a free port of this machine. */
async function runClients(): Promise<void> {
  const token = 'token-of-the-contract-test'
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', PRECIS_TOKENS: token })
  const templates = loadTemplates(new URL('../../prompts/', import.meta.url))
  const summarizer = await createSummarizer(config, templates)
  // How busy the machine is decides nothing.
  const app = await buildApp({ config, templates, summarizer, ...config, maxEventLoopDelayMs: Infinity })
  const url = await app.listen({ host: config.host, port: 0 })
  const session = fileURLToPath(new URL('../../examples/session.jsonl', import.meta.url))
  try {
    for (const client of ['openapi-fetch', 'hey-api', 'orval'])
      await start(process.execPath, ['--import', TSX, `clients/${client}.ts`], {
        URL: url,
        TOKEN: token,
        SESSION: session,
      })
  } finally {
    await app.close()
  }
}

function run(command: string, ...options: string[]): Promise<string> {
  return start(process.execPath, [`node_modules/.bin/${command}`, ...options])
}

/** Runs a program in this folder. @returns what it has written to stdout */
async function start(command: string, options: string[], env: Record<string, string> = {}): Promise<string> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true', NO_COLOR: '1' }
  const child = spawn(command, options, { cwd: HERE, env: { ...process.env, ...quiet, ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0 || options.includes('lint')) return output.stdout
  throw new Error(
    `${[command, ...options].join(' ')} failed (exit code ${code ?? 'none'}):\n${output.stdout}${output.stderr}`,
  )
}
