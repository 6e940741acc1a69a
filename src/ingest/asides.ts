import type { Session } from '../session/entry.ts'
import type { Message } from '../session/message.ts'

/** The messages of a document that are in no entry, by the ids of entries and skipped nodes that they follow. */
export class Asides {
  readonly #messages = new Map<string, readonly Message[]>()

  readonly add = (id: string, messages: readonly Message[]): void => {
    if (messages.length > 0) this.#messages.set(id, messages)
  }

  clear(): void {
    this.#messages.clear()
  }

  /** Adds them to the entries of a session, those before its first entry to that. @param entryOf returns the id of the entry of a node */
  addTo({ entries, byId }: Session, entryOf: (id: string) => string | null): void {
    for (const [id, messages] of this.#messages) {
      const entry = byId.get(entryOf(id) ?? '') ?? entries[0]
      if (entry !== undefined) (entry.asides ??= []).push(...messages)
    }
  }
}
