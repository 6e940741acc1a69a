import { newestWordings } from '../../extract/newest-wordings.ts'
import { SESSION_FACT_KINDS } from '../../schemas/comparison.ts'
import type { DroppedCounts, DroppedFact } from '../../schemas/past-compaction.ts'
import { findKept } from './kept-facts.ts'
import type { SessionFact } from './session-facts.ts'

/** A compaction of a chain: its summary, and the facts of the messages that it has replaced. */
interface ChainLink {
  facts: readonly SessionFact[]
  summary: string
}

/** What a compaction of a chain was made from, and what of that it has dropped. */
interface DroppedFacts {
  counts: DroppedCounts[]
  dropped: DroppedFact[]
}

/** A fact, and the compactions that have replaced messages with it: indexes. */
interface ChainFact extends SessionFact {
  replacedBy: Set<number>
}

const MAX_DROPPED_OF_KIND = 200
const MAX_FACT_IDS = 20

/**
 * Returns for each compaction of a chain what it dropped: what the summary before it or the messages that it replaced had, and what
 * neither its own nor a later summary has. A fact is dropped once: where a reader of the newest summary has lost it.
 * @param chain oldest first
 */
export function findDropped(chain: readonly ChainLink[]): DroppedFacts[] {
  const facts = joinFacts(chain)
  const kept = chain.map(({ summary }, index) =>
    keptBy(
      summary,
      facts.filter(({ replacedBy }) => Math.min(...replacedBy) <= index),
    ),
  )
  return chain.map((_, index) => {
    const known = facts.filter((fact) => fact.replacedBy.has(index) || kept[index - 1]?.has(fact) === true)
    const dropped = new Set(known.filter((fact) => dropping(fact, kept) === index))
    const ofKinds = SESSION_FACT_KINDS.map((kind) => known.filter((fact) => fact.kind === kind))
    return {
      counts: ofKinds.flatMap((ofKind) => countDropped(ofKind, dropped)),
      dropped: ofKinds.flatMap((ofKind) =>
        ofKind
          .filter((fact) => dropped.has(fact))
          .slice(-MAX_DROPPED_OF_KIND)
          .map(({ kind, text, entryIds }) => ({ kind, text, entryIds })),
      ),
    }
  })
}

function keptBy(summary: string, facts: readonly ChainFact[]): ReadonlySet<ChainFact> {
  const kept = findKept(facts, summary)
  return new Set(facts.filter((_, index) => kept[index]))
}

/** Returns the compaction that has dropped a fact: an index; undefined if the newest summary has it. */
function dropping(fact: ChainFact, kept: readonly ReadonlySet<ChainFact>[]): number | undefined {
  const lastKept = kept.findLastIndex((facts) => facts.has(fact))
  return lastKept === kept.length - 1 ? undefined : Math.max(lastKept + 1, ...fact.replacedBy)
}

function countDropped(ofKind: readonly ChainFact[], dropped: ReadonlySet<ChainFact>): DroppedCounts[] {
  const [first] = ofKind
  if (first === undefined) return []
  return [{ kind: first.kind, total: ofKind.length, dropped: ofKind.filter((fact) => dropped.has(fact)).length }]
}

/** Returns the facts of all compactions, each once. A file that was changed later was not only read, and a demand has its newest wording. */
function joinFacts(chain: readonly ChainLink[]): ChainFact[] {
  const joined = new Map<string, ChainFact>()
  for (const [index, { facts }] of chain.entries())
    for (const fact of facts) {
      const key = `${fact.kind} ${fact.name ?? fact.text}`
      const known = joined.get(key)
      const entryIds = [...(known?.entryIds ?? []), ...fact.entryIds].slice(0, MAX_FACT_IDS)
      // The newest mention counts for the order.
      joined.delete(key)
      joined.set(key, { ...fact, entryIds, replacedBy: new Set(known?.replacedBy).add(index) })
    }
  const all = [...joined.values()]
  const textsOf = (kind: SessionFact['kind']): string[] =>
    all.filter((fact) => fact.kind === kind).map(({ text }) => text)
  const changed = new Set(textsOf('changed-file'))
  const demands = new Set(newestWordings(textsOf('demand')))
  return all.filter(({ kind, text }) =>
    kind === 'read-file' ? !changed.has(text) : kind !== 'demand' || demands.has(text),
  )
}
