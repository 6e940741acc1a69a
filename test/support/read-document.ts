import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readingOf, readRequest } from '../../src/ingest/read-request.ts'
import { PLAN_FORMS } from '../../src/schemas/plan.ts'
import type { Entry } from '../../src/session/entry.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import { textsOf, type Message } from '../../src/session/message.ts'

const WHOLE = readingOf(PLAN_FORMS, true)

interface Sent {
  isLines?: boolean
  query?: Record<string, unknown>
}

/** Reads a document as a request's body: a text as it is, values as lines, an object as JSON. */
export function readDocument(
  document: string | object | readonly object[],
  { isLines = false, query = {} }: Sent = {},
) {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return readRequest({ body: Buffer.from(text), isLines, query }, WHOLE, { transcriptTokens: 0, maxSummaryTokens: 0 })
}

/** Returns values as lines of JSON. */
export const asLines = (values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n')

/** Returns each entry of the active branch in a few words: its id, its role or type, its texts, and how it ended. */
export function outline({ session }: ReturnType<typeof readDocument>): unknown[] {
  return selectBranch(session).map((entry) => [entry.id, ...describe(entry)])
}

function describe({ type, message, compaction }: Entry): unknown[] {
  if (compaction !== undefined) return ['compaction', compaction.summary, compaction.firstKeptEntryId ?? null]
  if (message === undefined) return [type]
  return [message.role, textsOf(message).join(' | '), ...statusOf(message)]
}

function statusOf(message: Message): unknown[] {
  if (message.role === 'assistant')
    return [message.stopReason ?? message.errorMessage].filter((one) => one !== undefined)
  if (message.role !== 'toolResult') return []
  const { toolName, isError, exitCode, isPruned } = message
  return [
    toolName,
    ...(isError ? ['failed'] : []),
    ...(exitCode === undefined ? [] : [exitCode]),
    ...(isPruned ? ['pruned'] : []),
  ]
}

const SAMPLES = fileURLToPath(new URL('../../../shared/agents/samples/', import.meta.url))

/** Returns a session that a real client wrote; undefined where the samples are not installed. */
export const readSample = (path: string): string | undefined =>
  existsSync(SAMPLES + path) ? readFileSync(SAMPLES + path, 'utf8') : undefined
