import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkRequest, promptOf, report } from '../resume/check-request.ts'
import { openTrial } from '../resume/trial.ts'
import { startRelay, type Relay } from './relay.ts'

/**
 * Tries the remote compaction of Codex: `npx tsx scripts/remote-compaction/codex.ts [VERSION]`. Codex has one address for its
 * model and for compactions, that of a relay. It compacts before the requests 3 and 5, and the next request to the model must
 * have one summary, and no answer or output from before. The exit code is 1 if a check fails.
 */
const [, , version = '0.120.0'] = process.argv
const FLAGS = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
const KEY = 'key-of-the-relay'

/** Every reply of the fake model counts 110 tokens. */
const COMPACT_NOW = ['-c', 'model_auto_compact_token_limit=100']

let relay: Relay | undefined
const { trial, fakeModel, close } = await openTrial({
  packages: [`@openai/codex@${version}`],
  async configure({ home, model, precis }) {
    relay = await startRelay({ model, precis })
    mkdirSync(join(home, '.codex'))
    writeFileSync(join(home, '.codex', 'config.toml'), configuration(relay.url))
    return { RELAY_KEY: KEY }
  },
})
const ask = (number: number, ...options: string[]): Promise<string> => {
  const command = number === 1 ? ['exec'] : ['exec', 'resume', '--last']
  return trial.run('codex', ...command, ...FLAGS, ...options, promptOf(number))
}
try {
  for (const number of [1, 2]) await ask(number)
  await ask(3, ...COMPACT_NOW)
  checkRequest(fakeModel, 3, {
    gone: ['answer-1', 'answer-2', 'output-of-request-2'],
    kept: ['request-1', 'request-2'],
  })
  await ask(4)
  await ask(5, ...COMPACT_NOW)
  const old = ['answer-1', 'answer-2', 'answer-3', 'answer-4', 'output-of-request-2', 'output-of-request-4']
  checkRequest(fakeModel, 5, { gone: old, kept: ['request-1', 'request-4'] })
  checkCompactions(relay)
} finally {
  relay?.close()
  await close()
}

/** The provider's name is what makes Codex compact remotely. */
function configuration(url: string): string {
  return `model = "fake"
model_provider = "relay"
check_for_update_on_startup = false

[model_providers.relay]
name = "OpenAI"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "RELAY_KEY"

[analytics]
enabled = false

[otel]
exporter = "none"
`
}

function checkCompactions(relay: Relay | undefined): void {
  const compactions = relay?.compactions ?? []
  report('Codex has asked for two compactions', compactions.length === 2)
  for (const { path, status, headers, fields } of compactions) {
    const { originator, 'user-agent': agent } = headers
    console.log(`     POST ${path}: ${status}; originator ${String(originator)}, ${String(agent)}`)
    console.log(`     body: ${fields.join(', ')}`)
    report('Précis has compacted', status === 200)
    report('the request has the key of the provider', headers.authorization === `Bearer ${KEY}`)
  }
}
