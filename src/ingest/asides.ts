import type { EntrySink } from '../agents/reader.ts'
import type { Session } from '../session/entry.ts'
import type { Message } from '../session/message.ts'

type ById = Map<string, Message[]>

/** The messages of a document that are in no entry, by the ids of entries and skipped nodes that they follow. */
export class Asides {
  readonly #messages: Readonly<Record<'asides' | 'sideChain', ById>> = { asides: new Map(), sideChain: new Map() }

  /** Returns what receives the messages. @param isRead whether anything reads them */
  sink(isRead: boolean): Pick<EntrySink, 'aside' | 'sideChain'> {
    const { asides, sideChain } = this.#messages
    const into = (all: ById): EntrySink['aside'] =>
      isRead
        ? (id, messages) => {
            addAt(all, id, messages)
          }
        : () => undefined
    return { aside: into(asides), sideChain: into(sideChain) }
  }

  clear(): void {
    for (const all of Object.values(this.#messages)) all.clear()
  }

  /** Adds them to the entries of a session, those before its first entry to that. @param entryOf returns the id of the entry of a node */
  addTo({ entries, byId }: Session, entryOf: (id: string) => string | null): void {
    for (const field of ['asides', 'sideChain'] as const)
      for (const [id, messages] of this.#messages[field]) {
        const entry = byId.get(entryOf(id) ?? '') ?? entries[0]
        if (entry !== undefined) entry[field] = (entry[field] ?? []).concat(messages)
      }
  }
}

function addAt(all: ById, id: string, messages: readonly Message[]): void {
  const earlier = all.get(id)
  if (earlier !== undefined) earlier.push(...messages)
  else if (messages.length > 0) all.set(id, [...messages])
}
