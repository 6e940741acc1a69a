import { describeMachine } from './support/describe-machine.ts'
import { interleave, ratio, summarize } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { probeHealth } from './support/probe-health.ts'
import { sendBytes } from './support/send-bytes.ts'
import { sessionBody } from './support/sessions.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Measures summarizing a session of a million tokens without a model, compared with `JSON.parse` of the same body: the
 * time of the whole reply, and the longest wait of other requests meanwhile.
 */
const ROUNDS = 15
const WARMING_ROUNDS = 5
const text = sessionBody(1_000_000)
const body = Buffer.from(text)
const service = await spawnService({ LOG_LEVEL: 'info' })
const probes: number[] = []
const { parse, reply } = await interleave(
  {
    parse: () => {
      JSON.parse(text)
    },
    reply: async () => {
      let ms = 0
      const times = await probeHealth(service.url, async () => {
        ms = await sendBytes(`${service.url}/compaction`, { body })
      })
      probes.push(...times)
      return ms
    },
  },
  ROUNDS,
  WARMING_ROUNDS,
)
await service.terminate()
console.log(`${describeMachine()}; ${ROUNDS} rounds, the service in a process of its own\n`)
printTable(
  ['what', 'measured'],
  [
    ['reply / parse', ratio(reply, parse)],
    ['health max', `${Math.max(...probes).toFixed(0)} ms`],
    ['health p99', `${summarize(probes).p99Ms.toFixed(0)} ms`],
    ['reply', `${reply.medianMs.toFixed(0)} ms`],
    ['parse', `${parse.medianMs.toFixed(1)} ms`],
  ],
)
