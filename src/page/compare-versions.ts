import type { Compaction } from './use-compactions.ts'

/** Returns the facts that only one of two results has, and how many both have: a summary has what is anywhere in its text. */
export function compareVersions({ reply: first }: Compaction, { reply: second }: Compaction) {
  const all = [first, second].flatMap(({ provenance }) => provenance?.facts.map(({ text }) => text) ?? [])
  const facts = [...new Set(all)]
  const isIn = ({ summary, provenance }: Compaction['reply'], text: string): boolean =>
    summary.includes(text) || provenance?.facts.some((one) => one.text === text) === true
  const onlyIn = (one: Compaction['reply'], other: Compaction['reply']): Set<string> =>
    new Set(facts.filter((text) => isIn(one, text) && !isIn(other, text)))
  const only = { first: onlyIn(first, second), second: onlyIn(second, first) }
  return { ...only, both: facts.length - only.first.size - only.second.size }
}
