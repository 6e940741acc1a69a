import { SESSION_FACT_KINDS, type ComparedFact, type FactCounts } from '../../schemas/comparison.ts'
import { findKept } from './kept-facts.ts'
import type { SessionFact } from './session-facts.ts'

/** Returns which facts each of two summaries has, and how many of each kind. */
export function compareFacts(
  facts: readonly SessionFact[],
  { agent, precis }: { agent: string; precis: string },
): { facts: ComparedFact[]; counts: FactCounts[] } {
  const [byAgent, byPrecis] = [findKept(facts, agent), findKept(facts, precis)]
  const compared = facts.map(({ kind, text, entryIds }, index) => ({
    ...{ kind, text, entryIds },
    inAgent: byAgent[index] === true,
    inPrecis: byPrecis[index] === true,
  }))
  const counts = SESSION_FACT_KINDS.map((kind) => {
    const ofKind = compared.filter((fact) => fact.kind === kind)
    return {
      kind,
      total: ofKind.length,
      inAgent: ofKind.filter(({ inAgent }) => inAgent).length,
      inPrecis: ofKind.filter(({ inPrecis }) => inPrecis).length,
    }
  })
  return { facts: compared, counts: counts.filter(({ total }) => total > 0) }
}
