import type { ElementPlace, SourceElement } from '../../session/entry.ts'
import { asText } from '../shared/values.ts'
import { LeafFinder } from './leaf.ts'
import { LineOrder } from './line-order.ts'
import { isBoundary, preservedBy, type FileLine, type Line } from './lines.ts'

/** Receives the lines of the tree. */
interface LineReader {
  readLine: (line: FileLine) => void
  /** Forgets all lines. */
  clear: () => void
}

/** The lines of a file that are the tree of its session: each once, after the lines that it follows. */
export class FileLines {
  readonly #reader: LineReader
  /** A line that occurs twice, as after a reopened session, counts where it occurs first. */
  readonly #ids = new Set<string>()
  #hasMain = false
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
      return
    }
    this.#ids.add(id)
    this.#namedLeafId = ''
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
