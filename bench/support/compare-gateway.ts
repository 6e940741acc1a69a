import { join } from 'node:path'
import { PEERS } from '../peers.ts'
import { interleave, ratio, type Times } from './interleave.ts'
import { openInstantModel, type InstantModel } from './open-instant-model.ts'
import { openTimedClient } from './open-timed-client.ts'
import { printTable } from './print-table.ts'
import { createPromptWriter, MAX_TOKENS, PROMPT_SIZES } from './prompts.ts'
import { spawnScript, type ScriptProcess } from './spawn-script.ts'
import { spawnService } from './spawn-service.ts'

const ROUNDS = 400
/** The rounds before the measurement, so that the processes are warm. */
const WARMING_ROUNDS = 1000
const START = 'node_modules/@portkey-ai/gateway/build/start-server.js'

interface Measured {
  gateway?: Times
  off: Times
  defaults: Times
}

/**
 * Measures the prompt route compared with a gateway, one request after the other, and prints the table. The gateway
 * gets the same chat completion that the service requests from the model. All are separate processes; the model server
 * answers at once.
 * @param folder where the gateway is installed; without it only the service is measured
 */
export async function compareGateway(folder: string | undefined): Promise<void> {
  const servers = await openServers(folder)
  const rows: string[][] = []
  try {
    for (const [name, characters] of PROMPT_SIZES) rows.push(writeRow(name, await measure(servers, characters)))
  } finally {
    const { model, off, defaults, gateway } = servers
    for (const one of [off, defaults, gateway]) await one?.terminate()
    model.close()
  }
  console.log(
    `\nThe prompt route, ${ROUNDS} rounds, one request at a time: p50 of Précis / p50 of ${PEERS.gateway[0]}\n`,
  )
  printTable(
    ['prompt', 'redaction and cache off / gateway', 'defaults / gateway', 'gateway p50', 'off p50', 'defaults p50'],
    rows,
  )
}

interface Servers {
  model: InstantModel
  off: ScriptProcess
  defaults: ScriptProcess
  /** Undefined where it is not installed. */
  gateway: ScriptProcess | undefined
}

async function openServers(folder: string | undefined): Promise<Servers> {
  const model = await openInstantModel()
  const environment = { OPENAI_BASE_URL: `${model.url}/v1`, LOG_LEVEL: 'info', NODE_ENV: 'production' }
  return {
    model,
    off: await spawnService({ ...environment, PRECIS_REDACT: 'false', PRECIS_CACHE_TTL_MS: '0' }),
    defaults: await spawnService(environment),
    gateway: folder === undefined ? undefined : await startGateway(folder),
  }
}

function startGateway(folder: string): Promise<ScriptProcess> {
  return spawnScript(new URL('run-gateway.ts', import.meta.url), {
    // The page with its log is not needed for forwarding a request.
    args: [join(folder, START), '--headless'],
    env: { NODE_ENV: 'production' },
  })
}

async function measure({ model, off, defaults, gateway }: Servers, characters: number): Promise<Measured> {
  const client = openTimedClient()
  const write = createPromptWriter(characters)
  const toService = (): string => JSON.stringify({ prompt: write(), maxTokens: MAX_TOKENS })
  const toGateway = (): string =>
    JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: write() }],
      max_completion_tokens: MAX_TOKENS,
    })
  const headers = {
    authorization: 'Bearer none',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${model.url}/v1`,
  }
  const subjects = {
    off: () => client.post(`${off.url}/compaction`, toService()),
    defaults: () => client.post(`${defaults.url}/compaction`, toService()),
  }
  const measured =
    gateway === undefined
      ? interleave(subjects, ROUNDS, WARMING_ROUNDS)
      : interleave(
          { ...subjects, gateway: () => client.post(`${gateway.url}/v1/chat/completions`, toGateway(), headers) },
          ROUNDS,
          WARMING_ROUNDS,
        )
  return measured.finally(() => {
    client.close()
  })
}

function writeRow(name: string, { gateway, off, defaults }: Measured): string[] {
  const ms = ({ medianMs }: Times): string => `${medianMs.toFixed(2)} ms`
  const compare = (own: Times): string => (gateway === undefined ? 'not installed' : ratio(own, gateway))
  return [name, compare(off), compare(defaults), gateway === undefined ? '' : ms(gateway), ms(off), ms(defaults)]
}
