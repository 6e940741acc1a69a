import { describeMachine } from './support/describe-machine.ts'
import { interleave, ratio, type Times } from './support/interleave.ts'
import { openInstantModel } from './support/open-instant-model.ts'
import { printTable } from './support/print-table.ts'
import { sendBytes } from './support/send-bytes.ts'
import { sessionBody } from './support/sessions.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Measures the time from the first byte of a session to the last byte of the request to the model, over real sockets,
 * compared with decoding and parsing the same body: the delay that the service adds between agent and model.
 */
const ROUNDS = 15
/** The rounds before the measurement, so that the processes are warm. */
const WARMING_ROUNDS = 60
const SIZES: [name: string, tokens: number][] = [
  ['200,000 tokens', 200_000],
  ['1,000,000 tokens', 1_000_000],
]

let askedAt = 0
const model = await openInstantModel(() => {
  // Any later call is a repair of the answer.
  askedAt ||= performance.now()
})
const environment = {
  OPENAI_BASE_URL: `${model.url}/v1`,
  // The whole session fits into one call.
  PRECIS_CONTEXT_WINDOW: '2000000',
  PRECIS_CACHE_TTL_MS: '0',
  LOG_LEVEL: 'info',
}
const plain = await spawnService({ ...environment, PRECIS_REDACT: 'false' })
const defaults = await spawnService(environment)

console.log(`${describeMachine()}; ${ROUNDS} rounds, the service in a process of its own\n`)
const rows: string[][] = []
for (const [name, tokens] of SIZES) rows.push(row(name, await measure(Buffer.from(sessionBody(tokens)))))
printTable(['body', 'without redaction / decode and parse', 'with it', 'decode and parse', 'without', 'with'], rows)
await Promise.all([plain, defaults].map((service) => service.terminate()))
model.close()

interface Measured {
  naive: Times
  plain: Times
  defaults: Times
}

function measure(body: Buffer): Promise<Measured> {
  const ask = async (url: string): Promise<number> => {
    askedAt = 0
    const start = performance.now()
    await sendBytes(`${url}/compaction`, { body })
    return askedAt - start
  }
  return interleave(
    {
      naive: () => {
        JSON.parse(body.toString())
      },
      plain: () => ask(plain.url),
      defaults: () => ask(defaults.url),
    },
    ROUNDS,
    WARMING_ROUNDS,
  )
}

function row(name: string, { naive, plain, defaults }: Measured): string[] {
  const ms = ({ medianMs }: Times): string => `${medianMs.toFixed(1)} ms`
  return [name, ratio(plain, naive), ratio(defaults, naive), ms(naive), ms(plain), ms(defaults)]
}
