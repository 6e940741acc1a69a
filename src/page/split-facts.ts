import type { Fact } from '../schemas/provenance.ts'

/** A part of a text: plain, or a fact of the summary. */
export interface FactPart {
  text: string
  fact?: Fact
}

export type SplitFacts = (text: string) => FactPart[]

/** Returns a function that finds the facts of a summary in its texts; of facts that begin together, the longest counts. */
export function splitterOf(facts: readonly Fact[]): SplitFacts {
  const byText = new Map(facts.map((fact) => [fact.text, fact]))
  const texts = [...byText.keys()].sort((a, b) => b.length - a.length)
  if (texts.length === 0) return (text) => [{ text }]
  const pattern = new RegExp(texts.map(escape).join('|'), 'g')
  return (text) => {
    const parts: FactPart[] = []
    let end = 0
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (index > end) parts.push({ text: text.slice(end, index) })
      const fact = byText.get(found)
      parts.push(fact === undefined ? { text: found } : { text: found, fact })
      end = index + found.length
    }
    if (end < text.length) parts.push({ text: text.slice(end) })
    return parts
  }
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
