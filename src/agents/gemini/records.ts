import { fieldsOf, isObject, type ElementPlace } from '../../session/entry.ts'
import { asText, type Fields } from '../shared/values.ts'

/** The types of records of Gemini CLI (0.61.0). */
export const RECORD_TYPES = new Set<unknown>(['user', 'gemini', 'info', 'error', 'warning'])

export interface StoredRecord {
  record: Fields
  place: ElementPlace
}

/**
 * The list of records as the lines of a session have built it: a record with a known id replaces the earlier one, and a line
 * may replace the list or take back its end. */
export class GeminiRecords {
  #stored = new Map<string, StoredRecord>()
  /** Their ids, in order. */
  #order: string[] = []

  /** Applies a line. @returns the records that a new list does not have any more */
  apply(line: Fields, place: ElementPlace): StoredRecord[] {
    const { $set: change, $rewindTo: rewindTo, type, id, messages } = line
    if (isObject(change)) return this.#replace(change['messages'], place)
    if (rewindTo !== undefined) this.#rewind(asText(rewindTo))
    else if (Array.isArray(messages)) return this.#replace(messages, place)
    else if (RECORD_TYPES.has(type) || (asText(type) !== '' && asText(id) !== '')) this.#store(line, place)
    return []
  }

  all(): StoredRecord[] {
    return [...this.#stored.values()]
  }

  #replace(list: unknown, place: ElementPlace): StoredRecord[] {
    if (!Array.isArray(list)) return []
    const placed = list.map(fieldsOf).map((record, part) => ({ record, place: { ...place, part } }))
    const next = new Map(placed.map((stored) => [idOf(stored), stored]))
    const leftOut = [...this.#stored].filter(([id]) => !next.has(id)).map(([, stored]) => stored)
    this.#stored = next
    this.#order = [...next.keys()]
    return leftOut
  }

  /** Removes a record and all after it; all records if it is unknown. */
  #rewind(target: string): void {
    for (let id = this.#order.pop(); id !== undefined; id = this.#order.pop()) {
      this.#stored.delete(id)
      if (id === target) return
    }
  }

  #store(record: Fields, place: ElementPlace): void {
    const stored = { record, place }
    const id = idOf(stored)
    if (!this.#stored.has(id)) this.#order.push(id)
    this.#stored.set(id, stored)
  }
}

/** Returns the id of a record; one without an id has that of its place. */
const idOf = ({ record, place: { index, part = 0 } }: StoredRecord): string =>
  asText(record['id']) || `record:${index + 1}.${part + 1}`
