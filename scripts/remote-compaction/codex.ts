import { checkRequest, promptOf, report } from '../resume/check-request.ts'
import { askCodex, configureCodex } from '../resume/codex-client.ts'
import { openTrial } from '../resume/trial.ts'
import { startRelay, type Relay } from './relay.ts'

/**
 * Tries the remote compaction of Codex: `npx tsx scripts/remote-compaction/codex.ts [VERSION]`. Codex has one address for its
 * model and for compactions, that of a relay. It compacts before the requests 3 and 5, and the next request to the model must
 * have one summary, and no answer or output from before. The exit code is 1 if a check fails.
 */
const [, , version = '0.120.0'] = process.argv
const KEY = 'key-of-the-relay'

/** Every reply of the fake model counts 110 tokens. */
const COMPACT_NOW = ['-c', 'model_auto_compact_token_limit=100']

let relay: Relay | undefined
const { trial, fakeModel, close } = await openTrial({
  packages: [`@openai/codex@${version}`],
  async configure({ home, model, precis }) {
    relay = await startRelay({ model, precis })
    // Codex compacts remotely because of the provider's name.
    configureCodex(home, { url: relay.url, name: 'OpenAI', keyVariable: 'RELAY_KEY' })
    return { RELAY_KEY: KEY }
  },
})
const ask = (number: number, ...flags: string[]): Promise<string> =>
  askCodex(trial, promptOf(number), { isFirst: number === 1, flags })
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
