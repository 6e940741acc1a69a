import { asText } from '../shared/values.ts'
import type { Line } from './lines.ts'

/** A line of the tree, as far as the leaf depends on it. */
interface TreeLine {
  id: string
  parentId: string
  timestamp: string
}

/**
 * Finds the leaf as Claude Code 2.1.330 does when it resumes a session: it is the last line of the file or, if another line is
 * newer by its time, the newest line below the last one. Of lines of the same time, and without times, the last one counts.
 */
export class LeafFinder {
  readonly #lines = new Map<string, TreeLine>()
  #last = ''
  #newest = { id: '', timestamp: '' }

  add(id: string, line: Line): void {
    const parentId = asText(line['parentUuid']) || asText(line['logicalParentUuid'])
    const timestamp = asText(line['timestamp'])
    this.#lines.set(id, { id, parentId, timestamp })
    this.#last = id
    if (timestamp > this.#newest.timestamp) this.#newest = { id, timestamp }
  }

  clear(): void {
    this.#lines.clear()
    this.#last = ''
    this.#newest = { id: '', timestamp: '' }
  }

  /** Returns the id of the leaf; '' for a session without lines. */
  find(): string {
    const last = this.#last
    let leaf = { id: last, timestamp: '' }
    if (this.#newest.id === last) return last
    const isBelow = new Map([[last, true]])
    for (const line of this.#lines.values())
      if (line.id !== last && line.timestamp >= leaf.timestamp && this.#findBelow(line.id, isBelow)) leaf = line
    return leaf.id
  }

  /** Returns whether a line is below one of the known ones that are. Linear for all lines together. */
  #findBelow(from: string, isBelow: Map<string, boolean>): boolean {
    const path: string[] = []
    let id = from
    for (; id !== '' && !isBelow.has(id); id = this.#lines.get(id)?.parentId ?? '') {
      path.push(id)
      // Ends a cycle.
      isBelow.set(id, false)
    }
    const found = isBelow.get(id) === true
    for (const one of path) isBelow.set(one, found)
    return found
  }
}
