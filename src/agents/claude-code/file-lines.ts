import type { ElementPlace, SourceElement } from '../../session/entry.ts'
import { asText } from '../shared/values.ts'
import { LineOrder } from './line-order.ts'
import { isBoundary, preservedBy, type FileLine, type Line } from './lines.ts'

/** Receives the lines of the tree. */
interface LineReader {
  readLine: (line: FileLine) => void
  /** Receives a line of a side chain, beside the tree. @param before the id of the line of the tree before it */
  readAside: (line: Line, before: string) => void
  /** Forgets all lines. */
  clear: () => void
}

/** The lines of a file that are the tree of its session: each once, after the lines that it follows. */
export class FileLines {
  readonly #reader: LineReader
  /** A line that occurs twice, as after a reopened session, counts where it occurs first. */
  readonly #ids = new Set<string>()
  #hasMain = false
  #lastId = ''
  /** The leaf that the client has named after the last line of the tree: the user went back and has not asked again. */
  #namedLeafId = ''
  readonly #leaf = new LeafFinder()
  /** A line after a kept line follows a compaction: the summary, by the ids of the lines that it has kept. */
  readonly #anchorIds = new Map<string, string>()
  readonly #order: LineOrder

  constructor(reader: LineReader) {
    this.#reader = reader
    this.#order = new LineOrder(reader.readLine)
  }

  add(line: Line, place: ElementPlace): void {
    const id = asText(line['uuid'])
    if (line['type'] === 'last-prompt') this.#namedLeafId = asText(line['leafUuid'])
    if (id === '' || this.#ids.has(id)) return
    if (!this.#isOnMainChain(line)) {
      this.#order.leaveOut(id)
      this.#reader.readAside(line, this.#lastId)
      return
    }
    this.#ids.add(id)
    this.#namedLeafId = ''
    this.#lastId = id
    this.#leaf.add(id, line)
    const element: SourceElement = { ...place, id, parentId: asText(line['parentUuid']), entryIndex: place.index }
    this.#order.add({ id, after: this.#idsBefore(id, line), line, place: element })
  }

  /** Passes on the lines that wait for others. Returns the id of the leaf; '' for a session without lines. */
  end(): string {
    this.#order.end()
    return this.#ids.has(this.#namedLeafId) ? this.#namedLeafId : this.#leaf.find()
  }

  /**
   * Side chains are the work of other agents. A file with nothing else is the session of such an agent: its lines are kept
   * until a line of another chain is found.
   */
  #isOnMainChain({ isSidechain }: Line): boolean {
    if (isSidechain === true) return !this.#hasMain
    if (!this.#hasMain) for (const part of [this.#ids, this.#leaf, this.#order, this.#reader]) part.clear()
    this.#hasMain = true
    return true
  }

  /** Returns the ids of the lines that a line is read after: its parent and, if a compaction has kept that, the summary. */
  #idsBefore(id: string, line: Line): readonly string[] {
    if (isBoundary(line)) {
      const { ids, anchorId } = preservedBy(line)
      for (const keptId of ids) this.#anchorIds.set(keptId, anchorId)
      return [...ids]
    }
    const parentId = asText(line['parentUuid'])
    if (parentId === '') return []
    const anchorId = this.#anchorIds.has(id) ? undefined : this.#anchorIds.get(parentId)
    return anchorId === undefined || anchorId === '' ? [parentId] : [parentId, anchorId]
  }
}

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
class LeafFinder {
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
