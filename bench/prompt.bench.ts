import { createServer, request, Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeMachine } from './support/describe-machine.ts'
import { interleave, ratio, type Times } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { spawnScript } from './support/spawn-script.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * The prompt route beside a bare `node:http` proxy, one request after the other: what the service costs beside the model.
 * Proxy and service are processes of their own; the model's server answers at once.
 */
const ROUNDS = 400
const SIZES: [name: string, characters: number][] = [
  ['2 KB', 2000],
  ['400 KB', 400_000],
]
const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '## Goal\nThe importer skips rows.' } },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
})

const model = createServer((incoming, outgoing) => {
  incoming.resume()
  incoming.on('end', () => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) })
    outgoing.end(ANSWER)
  })
})
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
const upstream = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
const environment = { OPENAI_BASE_URL: `${upstream}/v1`, LOG_LEVEL: 'info', NODE_ENV: 'production' }
const bare = await spawnScript(new URL('support/bare-proxy.ts', import.meta.url), {
  args: [`${upstream}/v1/chat/completions`],
})
const plain = await spawnService({ ...environment, PRECIS_REDACT: 'false', PRECIS_CACHE_TTL_MS: '0' })
const defaults = await spawnService(environment)
const agent = new Agent({ keepAlive: true })

console.log(`${describeMachine()}; ${ROUNDS} rounds, one request at a time\n`)
const rows: string[][] = []
for (const [name, characters] of SIZES) rows.push(row(name, await measureSize(characters)))
printTable(
  ['body', 'redaction and cache off / bare', 'defaults / bare', 'bare p50', 'off p50', 'defaults p50'],
  [...rows, ['goal: 2 KB', '2.4', '3', '', '', ''], ['goal: 400 KB', '1.2', '2', '', '', '']],
)
await Promise.all([bare, plain, defaults].map((one) => one.terminate()))
agent.destroy()
model.close()

interface Measured {
  bare: Times
  plain: Times
  defaults: Times
}

function measureSize(characters: number): Promise<Measured> {
  let number = 0
  const filler = 'The importer reads a row, checks its price, and writes it to the ledger of the day.\n'
  // Each is another one: none is answered from what is kept.
  const body = (): string => {
    const text = `Request ${number++}. ${filler.repeat(Math.ceil(characters / filler.length))}`.slice(0, characters)
    return JSON.stringify({ prompt: `<conversation>\n[User]: ${text}\n</conversation>\n\nSummarize.`, maxTokens: 1000 })
  }
  return interleave(
    {
      bare: () => post(`${bare.url}/`, body()),
      plain: () => post(`${plain.url}/compaction`, body()),
      defaults: () => post(`${defaults.url}/compaction`, body()),
    },
    ROUNDS,
  )
}

/** Milliseconds from the first byte that is sent to the last one that comes. */
function post(url: string, body: string): Promise<number> {
  const bytes = Buffer.from(body)
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length }
    const asking = request(url, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode ?? 0}.`))
      response.resume()
      response.on('end', () => {
        resolve(performance.now() - start)
      })
    })
    asking.on('error', reject)
    asking.end(bytes)
  })
}

function row(name: string, { bare, plain, defaults }: Measured): string[] {
  const ms = ({ medianMs }: Times): string => `${medianMs.toFixed(2)} ms`
  return [name, ratio(plain, bare), ratio(defaults, bare), ms(bare), ms(plain), ms(defaults)]
}
