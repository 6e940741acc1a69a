import t, { type Test } from 'tap'
import { defineMetrics } from '../../src/observe/metrics.ts'
import { connectToRedis } from '../support/connect-redis.ts'
import { compress, conversation, summaryIn } from '../support/gateway.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp, type StartOptions } from '../support/start-app.ts'
import { SKIP_WITHOUT_REDIS, startRedis } from '../support/start-redis.ts'
import { rejectOnAbort, until } from '../support/until.ts'

const TURNS = 100
const BUDGET = 3000
const TURN_TOKENS = 100

/** Starts a replica of the service. */
async function startReplica(t: Test, options: StartOptions = {}) {
  const summarizer = fakeSummarizer('## Goal\nFix all files.')
  const metrics = defineMetrics()
  const { app, log } = await startApp(t, { summarizer, metrics, ...options })
  const countOf = (text: string): number => log().split(text).length - 1
  const preparing = metrics.registry.getSingleMetric('precis_prepared_summaries_in_flight')
  /** Waits until all summaries in the background have ended, as they do while a real agent works on its turn. */
  const settle = () => until(async () => (await preparing?.get())?.values[0]?.value === 0)
  return { app, countOf, settle, prepared: () => countOf('"outcome":"ready"') }
}

type Replica = Awaited<ReturnType<typeof startReplica>>

interface Turn {
  tokensBefore: number
  tokensAfter: number
  /** The returned messages up to the summary, as JSON; empty if there is none. */
  prefix: string
  first: string
}

/** Sends a growing conversation, one turn after the other. */
async function sendTurns(replicaOf: (turn: number) => Replica, afterTurn?: (turn: number) => Promise<void>) {
  const turns: Turn[] = []
  for (let turn = 1; turn <= TURNS; turn++) {
    const messages = conversation(turn, TURN_TOKENS)
    const replica = replicaOf(turn)
    const { status, body } = await compress(replica.app, { messages, token_budget: BUDGET })
    if (status !== 200) throw new Error(`Turn ${turn} has the status ${status}.`)
    const summary = summaryIn(body.messages) ?? ''
    turns.push({
      tokensBefore: body.tokens_before,
      tokensAfter: body.tokens_after,
      prefix: summary,
      first: JSON.stringify(body.messages.at(summary === '' ? 0 : 2)),
    })
    await (afterTurn === undefined ? replica.settle() : afterTurn(turn))
  }
  return turns
}

/** Returns the turns at which the beginning changed. */
const changesOf = (turns: readonly Turn[]): number[] =>
  turns.flatMap(({ prefix, first }, at) =>
    at > 0 && (prefix !== turns[at - 1]?.prefix || first !== turns[at - 1]?.first) ? [at] : [],
  )

/** The beginning changes only where the next turn would have exceeded the limit, and by nothing but a summary. */
function checkChanges(t: Test, turns: readonly Turn[]): void {
  const changes = changesOf(turns)
  const sizeOfTurn = Math.max(...turns.slice(1).map((turn, at) => turn.tokensBefore - (turns[at]?.tokensBefore ?? 0)))
  t.ok(changes.length > 3, `${changes.length} compactions`)
  for (const at of changes) {
    t.ok((turns[at - 1]?.tokensAfter ?? 0) + sizeOfTurn > BUDGET, `turn ${at} crosses the limit`)
    t.ok((turns[at]?.tokensAfter ?? BUDGET) < 0.8 * BUDGET, `after turn ${at} there is room again`)
  }
  t.ok(
    turns.every(({ tokensAfter }) => tokensAfter <= BUDGET),
    'nothing is above the limit',
  )
}

t.test('100 turns of one conversation: the beginning changes only at compactions, one for each crossing', async (t) => {
  const replica = await startReplica(t)
  const turns = await sendTurns(() => replica)
  checkChanges(t, turns)
  const changes = changesOf(turns).length
  t.ok([changes, changes + 1].includes(replica.prepared()), 'a summary for each compaction, and none for nothing')
  t.equal(replica.countOf('"compressed":"embedded"'), 0)
})

t.test('no turn waits for a model that never answers', async (t) => {
  const never = fakeSummarizer((_task, { signal }) => rejectOnAbort(signal))
  const replica = await startReplica(t, { summarizer: never })
  const turns = await sendTurns(
    () => replica,
    async () => undefined,
  )
  checkChanges(t, turns)
  t.equal(replica.countOf('"compressed":"embedded"'), changesOf(turns).length)
})

const REDIS = { skip: SKIP_WITHOUT_REDIS }

async function startReplicas(t: Test, url: string) {
  const start = async () =>
    startReplica(t, { shared: await connectToRedis(t, url), settings: { storeKey: 'a secret of both replicas' } })
  return [await start(), await start()] as const
}

t.test('two replicas that share Redis return one conversation as one replica does', REDIS, async (t) => {
  const { url } = await startRedis(t)
  const replicas = await startReplicas(t, url)
  const turns = await sendTurns((turn) => replicas[turn % 3 === 0 ? 0 : 1])
  checkChanges(t, turns)
  const changes = changesOf(turns).length
  const prepared = replicas[0].prepared() + replicas[1].prepared()
  t.ok([changes, changes + 1].includes(prepared), `${prepared} summaries for ${changes} compactions`)
  t.equal(replicas[0].countOf('"compressed":"embedded"') + replicas[1].countOf('"compressed":"embedded"'), 0)
})

t.test('when Redis is killed, each replica goes on alone, and nothing is above the limit', REDIS, async (t) => {
  const { url, stop } = await startRedis(t)
  const replicas = await startReplicas(t, url)
  const turns = await sendTurns(
    (turn) => replicas[turn % 3 === 0 ? 0 : 1],
    async (turn) => {
      if (turn === 30) await stop()
      for (const { settle } of replicas) await settle()
    },
  )
  t.ok(
    turns.every(({ tokensAfter }) => tokensAfter <= BUDGET),
    'nothing is above the limit',
  )
  for (const of of [0, 1])
    checkChanges(
      t,
      turns.filter((_, at) => at >= 30 && ((at + 1) % 3 === 0 ? 0 : 1) === of),
    )
})
