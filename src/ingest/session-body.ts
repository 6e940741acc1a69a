import type { Fault } from '../errors.ts'
import type { RawEntry } from '../schemas/entry.ts'
import { dropCovered } from './drop-covered.ts'
import type { Keep, ListReader } from './list-reader.ts'
import type { ListName } from './check-element.ts'

export interface SessionParts {
  fields: Record<string, unknown>
  lists: ReadonlyMap<ListName, ListReader>
  keep: Keep
  isLines?: boolean
}

/** A body whose lists were checked as they came; its other fields are not checked yet. */
export class SessionBody {
  /** The body as it was written, but for the lists, which stand empty in it. */
  fields: Record<string, unknown>
  /** Whether it came as lines: then its other fields stand in the query. */
  readonly isLines: boolean
  readonly #lists: ReadonlyMap<ListName, ListReader>
  readonly #keep: Keep

  constructor({ fields, lists, keep, isLines = false }: SessionParts) {
    this.fields = fields
    this.isLines = isLines
    this.#lists = lists
    this.#keep = keep
  }

  faults(): Fault[] {
    return [...this.#lists.values()].flatMap(({ faults }) => faults)
  }

  /** The body whole, once its other fields are known to be good. */
  join(): Record<string, unknown> {
    const lists = [...this.#lists].map(([name, { values }]) => [name, values] as const)
    const body: Record<string, unknown> = { ...this.fields, ...Object.fromEntries(lists) }
    if (this.#keep === 'considered' && this.#lists.has('entries'))
      dropCovered(body['entries'] as RawEntry[], body['leafId'] as string | undefined)
    return body
  }
}
