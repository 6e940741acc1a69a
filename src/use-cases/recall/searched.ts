import { pairCalls, type ToolRuns } from '../../extract/runs.ts'
import { findPassages, type RecalledEntry } from '../../recall/find-passages.ts'
import type { SearchedSession } from '../../recall/search-session.ts'
import { Timeline } from '../../recall/timeline.ts'
import { startRedaction } from '../../redact/redaction.ts'
import { fieldsOf, type Entry } from '../../session/entry.ts'
import type { JoinedSession } from './join-copies.ts'

/** A session as it is searched, with the entries and the calls that its passages are made of. */
export interface SearchedEntries extends SearchedSession {
  entries: readonly RecalledEntry[]
  runs: ToolRuns
  /** The entries of the active branch as they are, with their secrets. */
  branch: readonly Entry[]
}

/**
 * Returns a session as look-ups search it. Secrets are replaced before anything is searched: what a search finds would tell
 * whether a guess of one is right.
 */
export function readSearched({ entries, branch, elementOf }: JoinedSession, redact: boolean): SearchedEntries {
  const timeline = new Timeline(entries, branch, (entry) => readTime(fieldsOf(elementOf(entry))))
  const messages = entries.flatMap(({ message }) => message ?? [])
  const texts = entries.flatMap(({ compaction }) => compaction?.summary ?? [])
  const redaction = startRedaction(redact, { messages, texts })
  const redacted = redaction.messages(messages)
  let next = 0
  const clean = entries.map(({ message, compaction }) => ({
    message: message && redacted[next++],
    summary: compaction && redaction.text(compaction.summary),
  }))
  const runs = pairCalls(redacted)
  const ids = entries.map(({ id }) => id)
  return { ids, passages: findPassages(clean, runs), timeline, entries: clean, runs, branch }
}

/** The fields in which formats have the time of an entry. */
const TIME_FIELDS = ['timestamp', 'ts', 'time', 'createdAt', 'created_at', 'startTime'] as const

/** Seconds since the epoch have fewer digits than milliseconds, until the year 5138. */
const MAX_SECONDS = 1e11

/** Returns when an element was written, in milliseconds since the epoch. */
function readTime(element: Readonly<Record<string, unknown>>): number | undefined {
  const times = TIME_FIELDS.map((name) => element[name])
  const time = [...times, fieldsOf(element['time'])['created'], fieldsOf(element['message'])['timestamp']].find(
    (one) => typeof one === 'number' || (typeof one === 'string' && !Number.isNaN(Date.parse(one))),
  )
  if (typeof time === 'string') return Date.parse(time)
  return typeof time === 'number' ? time * (time < MAX_SECONDS ? 1000 : 1) : undefined
}
