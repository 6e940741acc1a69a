import { buildLocalApp } from '../src/local-app.ts'
import { readSettings } from '../src/settings.ts'
import type { Environment } from '../src/environment.ts'
import type { Fault } from '../src/errors.ts'
import { createPooledFetch } from '../src/model/openai/client.ts'
import type { CompactionReply } from '../src/schemas/compaction-reply.ts'
import type { PlanReply } from '../src/schemas/plan.ts'
import { findCut, requestOf, writeFaults, type SessionCut, type SessionFile } from './session.ts'

/** Variables of the service that an operator may want to evaluate too. */
const PASSED_ON = [
  'PRECIS_CONTEXT_WINDOW',
  'PRECIS_MAX_SUMMARY_TOKENS',
  'PRECIS_PROMPTS',
  'PRECIS_REASONING_EFFORT',
  'PRECIS_REDACT',
  'PRECIS_BODY_LIMIT',
] as const

/** A person may take days. A timer of Node cannot be longer. */
const LONGEST_MS = '2147483647'

/** How the service under evaluation is configured. */
export interface ServiceOptions {
  env: Environment
  /** The model that writes; absent for the embedded summarizer. */
  model?: { baseUrl: string; name: string }
}

/** Returns where the service itself would cut the session. @throws Error if there is nothing to compact */
export async function planCut(file: SessionFile, env: Environment): Promise<SessionCut> {
  const body = requestOf(file, undefined, {})
  const plan = (await withService({ env }, (post) => post('/compaction/plan', body))) as PlanReply
  if (plan.firstKeptEntryId === null)
    throw new Error('There is nothing to compact in this session. Choose a longer one, or name an entry with --cut.')
  return findCut(file, plan.firstKeptEntryId)
}

/** A cut, and the settings of a request. */
export interface CutRequest {
  cut: SessionCut
  settings: Readonly<Record<string, number>>
}

/** Returns the reply of the service for the session before a cut. @throws Error before any model call, as `checkCut` does */
export async function compactUpTo(
  file: SessionFile,
  { cut, settings, ...options }: ServiceOptions & CutRequest,
): Promise<CompactionReply> {
  await checkCut(file, { cut, settings, env: options.env })
  const body = requestOf(file, cut, { keepRecentTokens: 1, ...settings })
  return (await withService(options, (post) => post('/compaction', body))) as CompactionReply
}

/** @throws Error if the service would cut the session elsewhere, or does not know a setting. It calls no model */
export async function checkCut(
  file: SessionFile,
  { cut, settings, env }: Pick<ServiceOptions, 'env'> & CutRequest,
): Promise<void> {
  const body = requestOf(file, cut, { keepRecentTokens: 1, ...settings })
  const plan = (await withService({ env }, (post) => post('/compaction/plan', body))) as PlanReply
  const { settings: unknown = {}, query = {} } = plan.report?.ignored ?? {}
  const ignored = Object.keys(settings).filter((name) => Object.hasOwn({ ...unknown, ...query }, name))
  if (ignored.length > 0)
    throw new Error(`This version of the service does not know settings.${ignored.join(', settings.')}. Leave it out.`)
  throwIfCutElsewhere(file, cut, plan.firstKeptEntryId)
}

/** A summary of other entries than those before the cut would be compared with the wrong key. */
function throwIfCutElsewhere({ branch }: SessionFile, cut: SessionCut, firstKeptEntryId: string | null): void {
  const at = branch.findIndex(({ id }) => id === firstKeptEntryId)
  const between = branch.slice(at, cut.messageIndex)
  if (at >= 0 && at <= cut.messageIndex && between.every(({ message }) => message === undefined)) return
  throw new Error(
    `A session cannot be cut before the entry ${cut.id}: a tool's result stays with its call. ` +
      `The nearest earlier place is --cut ${firstKeptEntryId ?? '-'}.`,
  )
}

type Post = (path: string, body: string) => Promise<unknown>

/** Starts the service on a loopback port, as in production, and closes it after the work. */
async function withService<T>({ env, model }: ServiceOptions, work: (post: Post) => Promise<T>): Promise<T> {
  const config = readSettings({
    ...Object.fromEntries(PASSED_ON.map((name) => [name, env[name]])),
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    PRECIS_DEADLINE_MS: LONGEST_MS,
    PRECIS_MIN_RATE: '0',
    // Two summaries of one system are two calls.
    PRECIS_CACHE_ENTRIES: '0',
    ...(model && { OPENAI_BASE_URL: model.baseUrl, PRECIS_MODEL: model.name }),
  })
  const app = await buildLocalApp(config)
  try {
    const url = await app.listen({ host: config.host, port: config.port })
    return await work((path, body) => post(url + path, body))
  } finally {
    await app.close()
  }
}

const send = createPooledFetch()

async function post(url: string, body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await send(url, { method: 'POST', headers, body })
  const reply = (await response.json()) as Record<string, unknown>
  if (response.ok) return reply
  const faults = writeFaults((reply['errors'] ?? []) as Fault[])
  throw new Error(
    `The service replied ${response.status} ${String(reply['title'])}: ${String(reply['detail'])}${faults}`,
  )
}
