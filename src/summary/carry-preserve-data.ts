import type { Entry } from '../session/entry.ts'

/**
 * The data that the newest compaction in play asked to have preserved, to be handed on where a request brings none.
 * `openaiRemoteCompaction` is left out: it stands for a history that the new summary replaces (docs/contract.md, "Entries form").
 */
export function carryPreserveData(branch: readonly Entry[]): Record<string, unknown> | undefined {
  const newest = branch.findLast(({ type }) => type === 'compaction' || type === 'reset_boundary')
  const { openaiRemoteCompaction: _replaced, ...rest } = newest?.compaction?.preserveData ?? {}
  return Object.keys(rest).length > 0 ? rest : undefined
}
