import { setTimeout as wait } from 'node:timers/promises'
import { bodyOf, replay, untilReady } from './replay-with-preparing.ts'
import type { Replicas } from './replicas.ts'
import type { SessionEntry } from './session-entry.ts'

interface Measuring<S> {
  replicas: Replicas
  windowTokens: number
  session: S
}

const PREPARING = 20
const PLANS = 15
const OTHER = 30

/** The time from the start of one preparation to that of the next. */
const START_MS = 300

/** The share of the window at which a session is prepared, and at which it is compacted: a tenth of the span was added. */
const PREPARED_AT = 0.7
const COMPACTED_AT = 0.77

/** With this share of its window, a compaction has a step of 6 % of the window: less than a tenth of the span. */
const NARROW_SHARE = 0.4

/** Cuts lie between messages: a tenth of the span is what lies between these shares of it. */
const TENTH = { least: 0.085, most: 0.115 }
const FIRST_CONTINUED = 90
const TRIED = 40

interface Continued {
  before: string
  /** The bodies with a cut one tenth behind. */
  wide: string
  narrow: string
}

/**
 * Returns how long a compaction takes whose cut lies a tenth of the span behind the prepared one, and which use it makes of it: first
 * with the step of its window, then with a smaller one, so that a model reads that tenth.
 */
export async function measureContinuing(
  measuring: Measuring<(number: number, share: number) => SessionEntry[]>,
): Promise<string[]> {
  const { replicas } = measuring
  const found = await findContinued(measuring)
  if (found === undefined) return ['none', 'none']
  const { before, wide, narrow } = found
  await replicas.post('/compaction/prepare', OTHER, before)
  await untilReady(replicas, OTHER, before)
  const measured: string[] = []
  for (const after of [wide, narrow]) {
    const plan = await replicas.post('/compaction/plan', OTHER, after)
    const { ms, json } = await replicas.post('/compaction', OTHER, after)
    const { prepared } = (json['report'] ?? {}) as { prepared?: { use: string } }
    measured.push(`${prepared?.use ?? 'none'}, ${(ms - plan.ms).toFixed(0)} ms`)
  }
  return measured
}

/** Returns the first session in which a cut can lie a tenth of the span behind the prepared one. */
async function findContinued({
  replicas,
  windowTokens,
  session,
}: Measuring<(number: number, share: number) => SessionEntry[]>): Promise<Continued | undefined> {
  const coveredIn = async (body: string): Promise<{ covered: number; contextTokens: number }> => {
    const { json } = await replicas.post('/compaction/plan', OTHER, body)
    const [before, kept] = [Number(json['tokensBefore']), Number(json['tokensKept'])]
    return { covered: before - kept, contextTokens: before }
  }
  for (let number = FIRST_CONTINUED; number < FIRST_CONTINUED + TRIED; number++) {
    const before = bodyOf(session(number, PREPARED_AT), windowTokens)
    const entries = session(number, COMPACTED_AT)
    const prepared = await coveredIn(before)
    const { contextTokens } = await coveredIn(bodyOf(entries, windowTokens))
    const keepRecentTokens = Math.round(contextTokens - prepared.covered * 1.1)
    const wide = bodyOf(entries, windowTokens, undefined, { keepRecentTokens })
    const narrow = bodyOf(entries, NARROW_SHARE * windowTokens, undefined, { keepRecentTokens })
    const behind = (await coveredIn(narrow)).covered / prepared.covered - 1
    if (behind > TENTH.least && behind < TENTH.most) return { before, wide, narrow }
  }
  return undefined
}

/** Returns the slowest plan of a caller alone, beside 20 preparations of others, and the ratio of both. */
export async function measureOthers({
  replicas,
  windowTokens,
  session,
}: Measuring<(number: number, share: number) => SessionEntry[]>): Promise<string[]> {
  const body = bodyOf(session(91, PREPARED_AT), windowTokens)
  const plan = async (): Promise<number> => (await replicas.post('/compaction/plan', OTHER, body)).ms
  for (let count = 0; count < PLANS; count++) await plan()
  const alone: number[] = []
  for (let count = 0; count < PLANS; count++) alone.push(await plan())
  const others = Array.from({ length: PREPARING }, (_, caller) => ({
    caller,
    body: bodyOf(session(caller + 50, PREPARED_AT), windowTokens),
  }))
  const beside: number[] = []
  for (const { caller, body: prepared } of others) {
    const started = replicas.post('/compaction/prepare', caller, prepared)
    beside.push(await plan())
    await Promise.all([started, wait(START_MS)])
  }
  for (let count = 0; count < PLANS; count++) beside.push(await plan())
  for (const { caller, body: prepared } of others) await untilReady(replicas, caller, prepared)
  const [one, other] = [Math.max(...alone), Math.max(...beside)]
  return [`${one.toFixed(0)} ms`, `${other.toFixed(0)} ms`, `${(other / one).toFixed(1)} x`]
}

/** The sessions of which the tokens are counted, and their length in windows: shorter ones have a compaction more or less by chance. */
const COUNTED = 2
const COUNTED_WINDOWS = 5

/**
 * Returns how many tokens models read for some long sessions that are prepared, as a share of those without preparing.
 * @param readTokens returns the tokens that models have read so far
 */
export async function measureReading(
  { replicas, windowTokens, session }: Measuring<(number: number, share: number) => SessionEntry[]>,
  readTokens: () => number,
): Promise<string> {
  const read = { prepared: 0, direct: 0 }
  for (let number = 0; number < COUNTED; number++)
    for (const way of ['prepared', 'direct'] as const) {
      const before = readTokens()
      const options = { replicas, windowTokens, caller: OTHER, isPreparing: way === 'prepared', tokenMs: 0 }
      await replay(session(number + 95, COUNTED_WINDOWS), options)
      read[way] += readTokens() - before
    }
  return (read.prepared / read.direct).toFixed(2)
}
