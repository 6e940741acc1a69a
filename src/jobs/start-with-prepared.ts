import type { SummaryStore } from '../model/sharing/summary-store.ts'
import type { Ticket } from '../runtime/fair-limit.ts'
import type { Background } from './background.ts'
import type { ReceivedRequest } from './job-runner.ts'
import type { Calls, FoundSummary, SummaryLookup, Reply } from './protocol.ts'
import type { Services } from './services.ts'

/** The services of a request that may use prepared summaries: where there are none, it uses none. */
export type StartServices = Pick<Services, 'jobs'> & { background?: Background | undefined }

/**
 * Does the work of a request up to a model call, with a prepared summary if there is one that it can use. @throws Problem; the
 * signal's reason when that aborts
 */
export async function startWithPrepared(
  request: ReceivedRequest,
  { jobs, background }: StartServices,
  ticket: Ticket,
): Promise<Calls | Reply> {
  const { prepared } = request.context
  if (prepared === undefined || background === undefined) return unlessLookup(await jobs.start(request, ticket))
  const keys = await background.store.keysOf(prepared.owner)
  const known = { ...request, context: { ...request.context, prepared: { ...prepared, keys } } }
  const step = await jobs.start(known, ticket)
  if (step.kind !== 'lookup') return step
  const found = await findSummary(step, background, ticket.signal)
  const looked = { ...request, context: { ...request.context, prepared: { ...prepared, keys, found } } }
  return unlessLookup(await jobs.start(looked, ticket))
}

function unlessLookup(step: Calls | Reply | SummaryLookup): Calls | Reply {
  if (step.kind === 'lookup') throw new Error('There is nothing to look up, or it has been looked up already.')
  return step
}

/** Returns the prepared summary that a request uses; for a part of a text, the one that the first part asked for has used. */
async function findSummary(
  lookup: SummaryLookup,
  background: Background,
  signal: AbortSignal,
): Promise<FoundSummary | null> {
  const { pin } = lookup
  const { store } = background
  if (pin === undefined) return findBest(lookup, background, signal)
  const pinned = await store.pins.get(pin)
  const found = pinned === undefined ? await findBest(lookup, background, signal) : null
  const key = pinned ?? (await store.pins.set(pin, found?.key ?? ''))
  if (key === '' || key === found?.key) return found
  await store.fetch([key])
  return readyOf([key], store) ?? null
}

/** How often another replica is asked for a summary that it has not begun, before a compaction writes its own: for about 1 s. */
const QUEUED_POLLS = 5

/**
 * Returns the best one of some prepared summaries; one that is being written is waited for if it would be used at once. One that waits
 * for its turn in another replica cannot be given priority from here: it is waited for shortly, in case that it begins at once, or as
 * long as the request may take if nothing else may be used.
 */
async function findBest(
  { whole, earlier, mayWait, isOnly }: SummaryLookup,
  background: Background,
  signal: AbortSignal,
): Promise<FoundSummary | null> {
  const { store } = background
  // From the oldest to the newest: the newest ones are asked for first.
  await store.fetch([...whole, ...earlier].toReversed())
  for (let polls = 0; ;) {
    const ready = readyOf(whole, store)
    const written = whole.filter((key) => background.isWriting([key]))
    const queued = whole.filter((key) => store.get(key)?.state === 'queued')
    const due = written[0] ?? queued[0]
    if (ready === undefined && !mayWait && due !== undefined) return { key: due }
    const awaited = written.length > 0 || (isOnly !== true && polls === QUEUED_POLLS) ? written : queued
    if (ready !== undefined || awaited.length === 0)
      return ready ?? readyOf(earlier, store) ?? (mayWait ? null : failedOf(whole, store))
    if (written.length === 0) polls += 1
    await background.whenEnded(awaited, { signal })
  }
}

function readyOf(keys: readonly string[], store: SummaryStore): FoundSummary | undefined {
  for (const key of keys) {
    const known = store.get(key)
    if (known !== undefined && 'drafts' in known) return { key, drafts: known.drafts }
  }
  return undefined
}

function failedOf(keys: readonly string[], store: SummaryStore): FoundSummary | null {
  const key = keys.find((one) => store.get(one)?.state === 'failed')
  return key === undefined ? null : { key, hasFailed: true }
}
