import type { FastifyInstance } from 'fastify'
import type { PlanReply } from '../../src/schemas/plan.ts'
import { readDocument } from './read-document.ts'

interface Context {
  messages: { role: string; content: unknown }[]
}

/** Posts a document as curl does, without a content type of its own. */
export async function post(app: FastifyInstance, url: string, payload: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await app.inject({ method: 'POST', url, headers, payload })
  if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.statusCode} ${reply.body}`)
  return reply
}

const read = async <T>(app: FastifyInstance, url: string, payload: string): Promise<T> =>
  (await post(app, url, payload)).json()

/** Returns what a session is to the next compaction after this one has been written back. */
export async function afterWriteBack(app: FastifyInstance, document: string, query: string) {
  const { body, headers } = await post(app, `/compaction?reply=native&${query}`, document)
  const written = headers['x-precis-native'] === 'append' ? document + body : body
  return outcome(app, written, `format=${String(headers['x-precis-format'])}`)
}

interface PiEntry {
  id?: string
  parentId?: string | null
  type: string
}

interface Pruned {
  entries?: PiEntry[]
  messages?: object[]
}

/**
 * Returns the same session in the format of pi, with the compaction as its last entry.
 * @param compaction its fields, a query that names the format of the session, and whether the session ends up without the
 * messages that are summarized, as a request does
 */
export async function compactedInPi(
  app: FastifyInstance,
  document: string,
  { query = '', isCutOff = false, ...compaction }: { query?: string; isCutOff?: boolean; [field: string]: unknown },
): Promise<string> {
  const { entries = [], messages = [] } = await read<Pruned>(app, `/prune?protectTokens=1000000&${query}`, document)
  // An agent may name a leaf that is not the last entry.
  const { leafId } = readDocument(document, { query: Object.fromEntries(new URLSearchParams(query)) }).session
  const posted: PiEntry[] = [
    ...entries.filter(({ type }) => type !== 'session'),
    ...messages.map((message, at) => ({ type: 'message', id: `m${at}`, message })),
  ]
  // Session version 1 has no ids: an entry has its position.
  const ids = posted.map(({ id }, at) => id ?? `e${at}`)
  const isTree = posted.some(({ parentId }) => typeof parentId === 'string')
  // Where no entry names a parent, or where its parent is no entry of pi, an entry follows the one before it.
  const parentOf = (parentId: string | null | undefined, at: number): string | null =>
    parentId === null || (parentId === undefined && isTree)
      ? null
      : (ids.find((id) => id === parentId) ?? ids[at - 1] ?? null)
  const linked = posted.map((entry, at) => ({ ...entry, id: ids[at], parentId: parentOf(entry.parentId, at) }))
  const newest = { type: 'compaction', id: 'compaction', parentId: leafId ?? ids.at(-1) ?? null, ...compaction }
  const kept = isCutOff ? linked.slice(ids.indexOf(String(compaction['firstKeptEntryId']))) : linked
  return JSON.stringify({ entries: [...kept, newest], settings: { keepRecentTokens: 1 } })
}

/** What a session is to the next compaction. */
export async function outcome(app: FastifyInstance, document: string, query = '') {
  const { messages } = await read<Context>(app, `/context?${query}`, document)
  const url = `/compaction/plan?keepRecentTokens=1&${query}`
  const { isSplitTurn, hasPreviousSummary, details, tokensKept, ...sizes } = await read<PlanReply>(app, url, document)
  const { contextTokens, tokensOutside, previousSummaryTokens } = sizes
  const shown = messages.map(({ role, content }) => ({ role, content }))
  const size = { contextTokens, tokensOutside, previousSummaryTokens }
  return { shown, isSplitTurn, hasPreviousSummary, details, tokensKept, size }
}
