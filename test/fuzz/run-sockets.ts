import { Writable } from 'node:stream'
import { buildApp } from '../../src/app.ts'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import PROMPT_EXAMPLE from '../../examples/api/session.prompt.json' with { type: 'json' }
import { templates } from '../support/templates.ts'
import { fuzz, type FuzzOptions, type FuzzReport } from './fuzz-loop.ts'
import { BODY_LIMIT, makeConversation, type Conversation } from './make-conversations.ts'
import { talk } from './talk.ts'
import { watchLog, type WatchedLog } from './watch-log.ts'

/** How long a busy machine may take to release what an ended connection has used. Otherwise, it takes milliseconds. */
const RELEASE_MS = 120_000

/** Holds slow, broken and pipelined conversations with the service over sockets. */
export async function runSockets(options: FuzzOptions): Promise<FuzzReport> {
  const log = watchLog()
  const ends: RequestEnd[] = []
  const app = await openApp(teeEnds(log.logTo, ends))
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const report = await fuzz('sockets', options, async (random) => {
    ends.length = 0
    const conversation = makeConversation(random)
    const { statuses, hasClosed, fault } = await talk(Number(port), conversation)
    const faults = [
      fault,
      await findLeak(app),
      hasClosed ? undefined : findWrongEnd(conversation, ends),
      await findDamage(app, Number(port)),
    ]
    const content = [JSON.stringify(PROMPT_EXAMPLE)]
    return { statuses, faults: [...faults.filter((one) => one !== undefined), ...log.takeFaults(content)] }
  })
  await app.close()
  return report
}

async function openApp(logTo: Writable) {
  const config = readSettings({ PRECIS_BODY_LIMIT: String(BODY_LIMIT) })
  return buildApp({
    settings: { ...config, logLevel: 'trace', maxSummaryTokens: 2000 },
    prompts: { templates },
    summarizer: await createSummarizer(config, templates),
    maxEventLoopDelayMs: Infinity,
    logTo,
  })
}

type App = Awaited<ReturnType<typeof openApp>>

/** The log line of a request. */
interface RequestEnd {
  status: number
  hungUp?: boolean
  msg: string
  route: string
}

function teeEnds(logTo: WatchedLog['logTo'], ends: RequestEnd[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      logTo.write(chunk)
      for (const line of chunk.toString().split('\n').filter(Boolean)) {
        const end = JSON.parse(line) as RequestEnd
        if (end.msg === 'request' && end.route !== '/metrics') ends.push(end)
      }
      done()
    },
  })
}

/** Returns which counts of the service do not return to zero. */
async function findLeak(app: App): Promise<string | undefined> {
  const endAt = performance.now() + RELEASE_MS
  for (;;) {
    const connections = await new Promise<number>((resolve) => {
      app.server.getConnections((_error, count) => {
        resolve(count)
      })
    })
    const { body } = await app.inject('/metrics')
    const busy = body.split('\n').filter((line) => /^precis_\w*jobs_(?:in_flight|waiting)\b.* [^0]/.test(line))
    if (connections === 0 && busy.length === 0) return undefined
    if (performance.now() > endAt) return `${connections} connections are open; ${busy.join(', ')}`
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Requests whose client has read all replies have one log line each, and nobody has hung up. */
function findWrongEnd({ sent, ending }: Conversation, ends: readonly RequestEnd[]): string | undefined {
  if (ending !== 'wait' || sent.some(({ statuses }) => statuses === undefined)) return undefined
  const wanted = sent.map(({ statuses }) => String(statuses?.at(-1))).join(' ')
  const logged = ends
  const shown = logged.map(({ status, hungUp }) => `${status}${hungUp === true ? ' hung up' : ''}`).join(' ')
  return shown === wanted ? undefined : `expected the log lines ${wanted}; logged: ${shown}`
}

/** Returns what no longer works afterwards. */
async function findDamage(app: App, port: number): Promise<string | undefined> {
  const health = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } })
  await health.arrayBuffer()
  const { statusCode } = await app.inject({ method: 'POST', url: '/compaction', payload: PROMPT_EXAMPLE })
  return health.status === 200 && statusCode === 200 ? undefined : `afterwards: ${health.status}, ${statusCode}`
}
