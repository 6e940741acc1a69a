import {
  describeMessage,
  type EntrySink,
  type ReadEntry,
  type ResultGroup,
  type Sample,
  type SessionReader,
  type ValueReader,
} from '../agents/reader.ts'
import { toEntry } from '../agents/to-entry.ts'
import type { FormatId } from '../schemas/format.ts'
import {
  fieldsOf,
  type ByteRange,
  type ElementPlace,
  type Session,
  type SourceElement,
  type UnlinkedEntry,
} from '../session/entry.ts'
import { linkEntries, nameTools } from '../session/link-session.ts'
import { defined } from '../text/defined.ts'
import { Asides } from './asides.ts'
import { IgnoredParts } from './count-ignored.ts'
import { noMessageOf } from './explain-broken-body.ts'
import type { ElementList } from './read-elements.ts'
import type { WorkFolders } from './work-folders.ts'

interface FormatOptions {
  reader: SessionReader
  folders: WorkFolders
  /** Whether the client names the format, and the document does not look like it. */
  isDoubtful: boolean
  isWhole: boolean
  /** The name of a place in the ids of entries without one: `line:7`, `item:7`. */
  unit: 'line' | 'item'
}

/** Reads the values of a document of another format into entries, as soon as each is received. */
export class FormatElements implements ElementList {
  readonly name = 'entries'
  readonly ignored = new IgnoredParts()
  readonly faults = []
  readonly skipped: number[] = []
  readonly places: SourceElement[] = []
  readonly format: FormatId
  readonly #options: FormatOptions
  readonly #reader: ValueReader
  #fields: Readonly<Record<string, unknown>> = {}
  #elements: readonly SourceElement[] | undefined
  #entries: (UnlinkedEntry & { id: string })[] = []
  /** The skipped nodes of a tree, each with its parent. */
  readonly #skippedNodes = new Map<string, string | null>()
  readonly #asides = new Asides()
  readonly #ids = new Set<string>()
  readonly #groups = new Map<string, ResultGroup>()
  /** The place whose entries are being added, and how many of them have their id from it. */
  #place = { index: -1, count: 0 }
  #leafId: string | undefined
  #contextWindow: number | undefined

  constructor(format: FormatId, options: FormatOptions) {
    this.format = format
    this.#options = options
    this.#reader = options.reader.open(this.#sink())
  }

  get elements(): readonly SourceElement[] {
    return this.#elements ?? this.places
  }

  skip(line: number): void {
    this.skipped.push(line)
    this.ignored.addLine(line + 1)
  }

  read(value: unknown, place: ElementPlace): void {
    const { reader, folders } = this.#options
    const { describe = describeMessage } = reader
    this.places.push({ ...place, ...describe(fieldsOf(value)) })
    folders.read(value, place.index)
    this.#reader.read(value, place)
  }

  /** @param bytes the length of the document, for a value that is not in a list */
  readAll({ fields, values }: Sample, ranges: readonly ByteRange[], bytes: number): void {
    this.setFields(fields)
    for (const [index, value] of values.entries())
      this.read(value, { index, range: ranges[index] ?? { start: 0, end: bytes } })
  }

  setFields(fields: Readonly<Record<string, unknown>>): void {
    this.#fields = fields
  }

  /** @throws Problem `invalid-session`, or `unknown-format` if the client has named a format that the document does not have */
  link(): Session {
    this.#reader.end?.(this.#fields)
    this.#options.folders.addTo(this.#entries, this.#fields)
    if (this.#options.isDoubtful && this.#entries.every(({ message }) => message === undefined))
      throw noMessageOf(this.format)
    for (const entry of this.#entries)
      if (entry.parentId !== undefined) entry.parentId = this.#findParent(entry.id, entry.parentId)
    const session = linkEntries(this.#entries)
    this.#asides.addTo(session, (id) => this.#findParent('', id))
    nameTools(session.entries)
    const leafId = this.#leafId === undefined ? null : this.#findParent('', this.#leafId)
    return {
      ...session,
      ...(leafId !== null && { leafId }),
      ...defined({ contextWindow: this.#contextWindow, cwd: this.#options.folders.first }),
    }
  }

  #sink(): EntrySink {
    return {
      add: (entry, place, group) => this.#add(entry, place, group),
      skip: (id, parentId) => {
        this.#skippedNodes.set(id, parentId)
      },
      // Look-ups read messages whole.
      ...this.#asides.sink(this.#options.isWhole),
      has: (id) => this.#ids.has(id) || this.#skippedNodes.has(id),
      setLeaf: (id) => (this.#leafId = id),
      setElements: (elements) => {
        this.#elements = elements
      },
      setWindow: (tokens) => (this.#contextWindow = tokens),
      clear: () => {
        this.#entries = []
        for (const found of [this.#ids, this.#skippedNodes, this.#groups, this.#asides]) found.clear()
      },
      ignore: (group, name) => this.ignored.add(group, name),
    }
  }

  #add(read: ReadEntry, { index, range, part }: ElementPlace, group: ResultGroup | undefined): void {
    const id = this.#idOf(read, index)
    const entry = { ...toEntry(read, { index, range }, this.#options.isWhole), id, ...(part !== undefined && { part }) }
    this.#ids.add(id)
    if (group !== undefined) this.#groups.set(id, group)
    this.#entries.push(entry)
  }

  #idOf({ id = '' }: ReadEntry, index: number): string {
    if (id !== '' && !this.#ids.has(id)) return id
    const base = `${this.#options.unit}:${index + 1}`
    if (this.#place.index !== index) this.#place = { index, count: 0 }
    let free = base
    do {
      this.#place.count += 1
      free = this.#place.count === 1 ? base : `${base}.${this.#place.count}`
    } while (this.#ids.has(free))
    return free
  }

  /** Returns the nearest entry above a node; null at a root, and where a parent is missing. */
  #findParent(childId: string, parentId: string | null): string | null {
    const path: string[] = []
    let id = parentId
    while (id !== null && !this.#ids.has(id)) {
      const above = this.#skippedNodes.get(id) ?? null
      path.push(id)
      // A shorter way for the next node, which also ends a cycle.
      this.#skippedNodes.set(id, null)
      id = above
    }
    for (const skipped of path) this.#skippedNodes.set(skipped, id)
    const group = id === null ? undefined : this.#groups.get(id)
    const found = group === undefined || group === this.#groups.get(childId) ? id : group.lastId
    return found === childId ? null : found
  }
}
