import { describeMachine } from './support/describe-machine.ts'
import { interleave, ratio, type Times } from './support/interleave.ts'
import { openInstantModel } from './support/open-instant-model.ts'
import { openTimedClient } from './support/open-timed-client.ts'
import { printTable } from './support/print-table.ts'
import { createPromptWriter, MAX_TOKENS, PROMPT_SIZES } from './support/prompts.ts'
import { spawnScript } from './support/spawn-script.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Measures the prompt route compared with a bare `node:http` proxy, one request after the other: the time of the
 * service without the model. Proxies and services are separate processes; the model server answers at once. A second
 * proxy only parses and serializes JSON, as every service with its own request format must.
 */
const ROUNDS = 400
/** The rounds before the measurement, so that all processes are warm. */
const WARMING_ROUNDS = 1000
const P50_OF = ['bare p50', 'off p50', 'defaults p50']

const model = await openInstantModel()
const environment = { OPENAI_BASE_URL: `${model.url}/v1`, LOG_LEVEL: 'info', NODE_ENV: 'production' }
const args = [`${model.url}/v1/chat/completions`]
const bare = await spawnScript(new URL('support/bare-proxy.ts', import.meta.url), { args })
const json = await spawnScript(new URL('support/json-proxy.ts', import.meta.url), { args })
const plain = await spawnService({ ...environment, PRECIS_REDACT: 'false', PRECIS_CACHE_TTL_MS: '0' })
const defaults = await spawnService(environment)
const client = openTimedClient()

console.log(`${describeMachine()}; ${ROUNDS} rounds, one request at a time\n`)
const rows: string[][] = []
for (const [name, characters] of PROMPT_SIZES) rows.push(row(name, await measureSize(characters)))
printTable(['body', 'redaction and cache off / bare', 'defaults / bare', 'JSON proxy / bare', ...P50_OF], rows)
await Promise.all([bare, json, plain, defaults].map((one) => one.terminate()))
client.close()
model.close()

interface Measured {
  bare: Times
  json: Times
  plain: Times
  defaults: Times
}

function measureSize(characters: number): Promise<Measured> {
  const write = createPromptWriter(characters)
  const body = (): string => JSON.stringify({ prompt: write(), maxTokens: MAX_TOKENS })
  return interleave(
    {
      bare: () => client.post(`${bare.url}/`, body()),
      json: () => client.post(`${json.url}/`, body()),
      plain: () => client.post(`${plain.url}/compaction`, body()),
      defaults: () => client.post(`${defaults.url}/compaction`, body()),
    },
    ROUNDS,
    WARMING_ROUNDS,
  )
}

function row(name: string, { bare, json, plain, defaults }: Measured): string[] {
  const ms = ({ medianMs }: Times): string => `${medianMs.toFixed(2)} ms`
  return [name, ratio(plain, bare), ratio(defaults, bare), ratio(json, bare), ms(bare), ms(plain), ms(defaults)]
}
