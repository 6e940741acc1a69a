import { pairCalls, type ToolRun, type ToolRuns } from '../../extract/runs.ts'
import { findPassages, messagesOfEntry, type RecalledEntry } from '../../recall/find-passages.ts'
import { nameEntries } from '../../recall/name-entries.ts'
import { isOwnLookup } from '../../recall/own-lookups.ts'
import type { SearchedSession } from '../../recall/search-session.ts'
import { Timeline } from '../../recall/timeline.ts'
import { startRedaction } from '../../redact/redaction.ts'
import { fieldsOf, parseJson, type Entry } from '../../session/entry.ts'
import { toolCallsOf, type Message } from '../../session/message.ts'
import { timeOfElement } from '../shared/replaced-part.ts'
import type { JoinedSession } from './join-copies.ts'

/** A session as it is searched, with the entries and the calls that its passages are made of. */
export interface SearchedEntries extends SearchedSession {
  entries: readonly RecalledEntry[]
  runs: ToolRuns
  /** The entries of the active branch as they are, with their secrets. */
  branch: readonly Entry[]
  /** Where each of them is among the entries. */
  branchPlaces: readonly number[]
}

/**
 * Returns a session as look-ups search it. Secrets are replaced before anything is searched: what a search finds would tell
 * whether a guess of one is right.
 */
export function readSearched({ entries, branch, bodyOf }: JoinedSession, redact: boolean): SearchedEntries {
  const messages = entries.flatMap(messagesOfEntry)
  const texts = entries.flatMap(({ compaction }) => compaction?.summary ?? [])
  const redaction = startRedaction(redact, { messages, texts })
  const redacted = redaction.messages(messages)
  let next = 0
  const clean = entries.map(({ message, asides = [], sideChain = [], compaction }) => ({
    message: message && redacted[next++],
    asides: redacted.slice(next, (next += asides.length)),
    sideChain: redacted.slice(next, (next += sideChain.length)),
    summary: compaction && redaction.text(compaction.summary),
  }))
  const runs = pairCalls(redacted)
  const places = new Map(entries.map(({ id }, place) => [id, place]))
  const names = nameEntries(
    Array.from(entries, ({ id }) => id),
    redaction.text,
  )
  const timeline = new Timeline(entries, branch, { names, timeOf: timesIn(bodyOf) })
  return {
    ids: names,
    passages: findPassages(clean, runs),
    timeline,
    isLookup: (place) => messagesOfEntry(clean[place]).some((message) => runsOf(message, runs).some(isOwnLookup)),
    entries: clean,
    runs,
    branch,
    branchPlaces: branch.map(({ id }) => places.get(id) ?? 0),
  }
}

/** Returns the calls that a message makes, and the one whose result it is. */
const runsOf = (message: Message, runs: ToolRuns): ToolRun[] =>
  [message, ...toolCallsOf(message)].flatMap((one) => runs.get(one) ?? [])

/** Returns a function that reads the time of an entry. Of an element with many entries, it is read once. */
function timesIn(bodyOf: JoinedSession['bodyOf']): (entry: Entry) => number | undefined {
  const ofBodies = new Map<Buffer, Map<number, number | undefined>>()
  return (entry) => {
    const body = bodyOf(entry)
    const { start, end } = entry.range
    const times = ofBodies.get(body) ?? new Map<number, number | undefined>()
    ofBodies.set(body, times)
    if (!times.has(start)) times.set(start, timeOfElement(fieldsOf(parseJson(body.toString('utf8', start, end)))))
    return times.get(start)
  }
}
