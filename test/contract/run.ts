import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildLocalApp } from '../../src/local-app.ts'
import { readSettings } from '../../src/settings.ts'
import { installIn, runIn, tryIn } from '../support/run-in-folder.ts'

/**
 * `npm run test:contract`: openapi.yaml has no fault, and clients that three generators make of it compile and can do what
 * README does. The generators are installed here, because nothing else needs them.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url))
const TSX = import.meta.resolve('tsx')

await main()

async function main(): Promise<void> {
  await installIn(HERE)
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

/** @throws Error if the linter has an error or a warning */
async function lint(): Promise<void> {
  const options = ['lint', '../../openapi.yaml', '--extends', 'recommended', '--format', 'json']
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout: output } = await tryIn(HERE, [process.execPath, 'node_modules/.bin/redocly', ...options], { env })
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
  const config = readSettings({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', PRECIS_TOKENS: token })
  const app = await buildLocalApp(config)
  const url = await app.listen({ host: config.host, port: 0 })
  const session = fileURLToPath(new URL('../../examples/session.jsonl', import.meta.url))
  try {
    for (const client of ['openapi-fetch', 'hey-api', 'orval'])
      await runIn(HERE, [process.execPath, '--import', TSX, `clients/${client}.ts`], {
        env: { URL: url, TOKEN: token, SESSION: session },
      })
  } finally {
    await app.close()
  }
}

/** Runs a program in this folder. @returns what it has written to stdout */
function run(command: string, ...options: string[]): Promise<string> {
  return runIn(HERE, [process.execPath, `node_modules/.bin/${command}`, ...options])
}
