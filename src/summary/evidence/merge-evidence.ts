import type { Evidence } from './evidence.ts'

/** Joins what earlier compactions had found with what is new: each fact once, at the place of its newest mention. */
export function mergeEvidence(older: Evidence, newer: Evidence): Evidence {
  return {
    failures: newestOf([...older.failures, ...newer.failures], ({ what }) => what),
    commits: newestOf([...older.commits, ...newer.commits], (commit) => commit.split(' ', 1)[0] ?? ''),
    deleted: newestOf([...older.deleted, ...newer.deleted], (path) => path),
    renamed: newestOf([...older.renamed, ...newer.renamed], ({ from, to }) => JSON.stringify([from, to])),
  }
}

function newestOf<T>(facts: readonly T[], nameOf: (fact: T) => string): T[] {
  const named = new Map<string, T>()
  for (const fact of facts) {
    const name = nameOf(fact)
    named.delete(name)
    named.set(name, fact)
  }
  return [...named.values()]
}
