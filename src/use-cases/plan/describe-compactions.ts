import { findWork } from '../../extract/find-work.ts'
import { copyRuns, pairCalls } from '../../extract/runs.ts'
import { estimateSummary } from '../../plan/context-size.ts'
import { messagesOf, type MessageEntry } from '../../plan/plan-compaction.ts'
import { findRegion } from '../../plan/region.ts'
import type { Redaction } from '../../redact/redaction.ts'
import type { FormatId } from '../../schemas/format.ts'
import type { PastCompaction } from '../../schemas/past-compaction.ts'
import type { Entry } from '../../session/entry.ts'
import { findDropped } from '../../summary/compare/dropped-facts.ts'
import { findSessionFacts } from '../../summary/compare/session-facts.ts'
import { readCompactions, type ReadableCompaction } from '../shared/readable-compactions.ts'

/** A compaction of a chain, and the entries that it has replaced: indexes of those with a message. */
interface ChainedCompaction extends ReadableCompaction {
  range: { start: number; end: number }
}

/**
 * Returns the compactions of a branch since its newest reset, with what each has dropped. Encrypted ones are left out: what they have
 * replaced counts for the next one.
 */
export function describeCompactions(
  branch: readonly Entry[],
  { redaction, format = 'pi' }: { redaction: Redaction; format?: FormatId | undefined },
): PastCompaction[] {
  const { playStart } = findRegion(branch)
  const entries = branch.slice(playStart).filter((entry): entry is MessageEntry => entry.message !== undefined)
  const chain = chainOf(branch, entries, playStart)
  if (chain.length === 0) return []
  const originals = messagesOf(entries)
  const messages = redaction.messages(originals)
  const runs = copyRuns({ messages: originals, runs: pairCalls(originals) }, messages, redaction.uncounted().text)
  const redacted = entries.map(({ id, message }, index) => ({ id, message: messages[index] ?? message }))
  // An item is open if it still is so at the end of the branch.
  const work = findWork({ messages, runs })
  const summaries = chain.map(({ summary }) => redaction.text(summary))
  const dropped = findDropped(
    chain.map(({ range }, index) => ({
      summary: summaries[index] ?? '',
      facts: findSessionFacts({ entries: redacted, runs, work, range }),
    })),
  )
  return chain.map(({ number, entry, isOwn, range }, index) => ({
    ...{ number, entryId: entry.id, writer: isOwn ? 'precis' : format },
    ...{ tokens: estimateSummary(summaries[index] ?? ''), entries: range.end - range.start },
    ...{ counts: [], dropped: [], ...dropped[index] },
  }))
}

/** Returns the compactions with the entries that each has replaced, of those after a place. */
function chainOf(branch: readonly Entry[], entries: readonly MessageEntry[], playStart: number): ChainedCompaction[] {
  const places = new Map(branch.map((entry, index) => [entry, index]))
  const positions = entries.map((entry) => places.get(entry) ?? 0)
  let start = 0
  return readCompactions(branch).flatMap((one) => {
    if (one === undefined || one.at < playStart) return []
    const count = positions.findIndex((position) => position >= one.keptFrom)
    const end = Math.max(start, count < 0 ? positions.length : count)
    const range = { start, end }
    start = end
    return [{ ...one, range }]
  })
}
