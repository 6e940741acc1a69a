import { describeMachine } from './support/describe-machine.ts'
import { measureContinuing, measureOthers, measureReading } from './support/measure-preparing.ts'
import { openPacedModel, type PacedModel } from './support/paced-model.ts'
import { printTable } from './support/print-table.ts'
import { replay, bodyOf, type ReplayedCompaction } from './support/replay-with-preparing.ts'
import { readRealMessages, replayedSession } from './support/replayed-session.ts'
import { openReplicas, type Replicas } from './support/replicas.ts'
import type { SessionMessage } from './support/session-entry.ts'

/**
 * Replays 20 real sessions side by side, each with one or two compactions, with Redis and two replicas, of which one is killed.
 * The model is simulated: 30 s for a whole span, 8 s for a tenth of it, 5 times as fast; the time of the service itself is not
 * faster, so that its share is 5 times as large as it would be. Waits are real: 200 ms of the model's part are a simulated second, but for
 * `without`, which is in simulated ones. `in time` are the compactions whose plan said that the summary was there. At the end, the
 * tokens of long sessions are counted, with a model that takes no time. `npm run bench -- prepare 128000` measures one window.
 */
const SCALE = 1 / 5
const SESSIONS = 20
/** An agent adds some 200 tokens a second, with the outputs of its tools. */
const TOKEN_MS = 5 * SCALE
const LENGTH = 1.4
/** The scale of a model whose time does not matter. */
const NO_TIME = 0.001
const WINDOWS = process.argv.slice(3).map(Number).filter(Boolean)

async function measureAll(real: SessionMessage[][]): Promise<void> {
  console.log(`${describeMachine()}; ${SESSIONS} sessions; a simulated second takes ${SCALE} s`)
  const rows: string[][] = []
  for (const windowTokens of WINDOWS.length > 0 ? WINDOWS : [128_000, 200_000, 400_000, 1_000_000]) {
    const model = await openPacedModel()
    const replicas = await openReplicas(model.url, windowTokens)
    try {
      rows.push(await measureWindow(real, windowTokens, { model, replicas }))
    } finally {
      await replicas.close()
      await model.close()
    }
  }
  const heads = [
    'wait: median',
    'worst in time',
    'without',
    'usable',
    'in time',
    'tokens read',
    'tenth behind',
    'read by the model',
    'wrong',
    'lost',
  ]
  printTable(['window', ...heads, 'plan: alone', 'beside', 'ratio'], rows)
}

interface Parts {
  model: PacedModel
  replicas: Replicas
}

async function measureWindow(real: SessionMessage[][], windowTokens: number, parts: Parts): Promise<string[]> {
  const { model, replicas } = parts
  const session = (number: number, share = LENGTH) => replayedSession(real, number, windowTokens * share)
  const plan = await replicas.post('/compaction/plan', 0, bodyOf(session(0, 0.86), windowTokens, 'never'))
  model.setSpan(Number(plan.json['promptTokens']))
  // At its real speed: a preparation waits for the model most of its time, and the service's own part counts once.
  model.setScale(1)
  const continuing = await measureContinuing({ replicas, windowTokens, session })
  const others = await measureOthers({ replicas, windowTokens, session })
  model.setScale(SCALE)
  const { ms } = await replicas.post('/compaction', 0, bodyOf(session(0, 0.86), windowTokens, 'never'))
  const all = await replayAll(session, windowTokens, replicas)
  model.setScale(NO_TIME)
  const ratio = await measureReading({ replicas, windowTokens, session }, () => sumOf(model))
  const lost = replicas.lost()
  if (lost.length > 0) console.log([...new Set(lost)].slice(0, 5).join('\n'))
  return [
    String(windowTokens),
    ...rowOf(all, (ms - plan.ms) / SCALE),
    ratio,
    ...continuing,
    String(wrongOf(all)),
    String(lost.length),
    ...others,
  ]
}

/** Replays the sessions side by side, and kills a replica when half of them have compacted once. */
async function replayAll(
  session: (number: number) => ReturnType<typeof replayedSession>,
  windowTokens: number,
  replicas: Replicas,
): Promise<ReplayedCompaction[]> {
  let ended = 0
  const options = { replicas, windowTokens, isPreparing: true, tokenMs: TOKEN_MS }
  const watched = {
    ...replicas,
    post: async (...call: Parameters<Replicas['post']>) => {
      const reply = await replicas.post(...call)
      if (call[0] === '/compaction' && ++ended === SESSIONS / 2) await replicas.killOne()
      return reply
    },
  }
  const all = Array.from({ length: SESSIONS }, (_, number) =>
    replay(session(number), { ...options, replicas: watched, caller: number }),
  )
  return (await Promise.all(all)).flat()
}

const sumOf = ({ tokensRead }: PacedModel): number => Array.from(tokensRead.values()).reduce((sum, one) => sum + one, 0)

const wrongOf = (all: readonly ReplayedCompaction[]): number => all.filter(({ isWrong }) => isWrong).length

function rowOf(all: readonly ReplayedCompaction[], withoutMs: number): string[] {
  const waits = all.map(({ waitMs }) => waitMs).sort((one, other) => one - other)
  const inTime = all.filter(({ use, isReady }) => use === 'whole' && isReady)
  const usable = all.filter(({ use }) => use !== 'none')
  const worst = Math.max(0, ...inTime.map(({ waitMs }) => waitMs))
  const percent = (count: number): string => `${((100 * count) / all.length).toFixed(0)} % of ${all.length}`
  const median = (list: readonly number[]): number => list[Math.floor(list.length / 2)] ?? 0
  return [
    `${median(waits).toFixed(0)} ms`,
    `${worst.toFixed(0)} ms`,
    `${(withoutMs / 1000).toFixed(1)} s`,
    percent(usable.length),
    percent(inTime.length),
  ]
}

const real = readRealMessages()
if (real === undefined) console.log('The real sessions are not there.')
else await measureAll(real)
