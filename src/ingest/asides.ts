import type { EntrySink } from '../agents/reader.ts'
import type { Entry, ProjectFile, Session } from '../session/entry.ts'
import type { Message } from '../session/message.ts'

type ById<T> = Map<string, T[]>

/** What a document has that is in no entry, by the ids of entries and skipped nodes that it follows. */
export class Asides {
  readonly #messages: Readonly<Record<'asides' | 'sideChain', ById<Message>>> = {
    asides: new Map(),
    sideChain: new Map(),
  }
  readonly #projectFiles: ById<ProjectFile> = new Map()

  /** Returns what receives it. @param isRead whether anything reads the messages */
  sink(isRead: boolean): Pick<EntrySink, 'aside' | 'sideChain'> {
    const { asides, sideChain } = this.#messages
    const add = (all: ById<Message>, id: string, messages: readonly Message[]): void => {
      if (isRead) addAt(all, id, messages)
    }
    return {
      aside: (id, messages, files = []) => {
        add(asides, id, messages)
        addAt(this.#projectFiles, id, files)
      },
      sideChain: (id, messages) => add(sideChain, id, messages),
    }
  }

  clear(): void {
    for (const all of [...Object.values(this.#messages), this.#projectFiles]) all.clear()
  }

  /** Adds it to the entries of a session, what is before its first entry to that. @param entryOf returns the id of the entry of a node */
  addTo({ entries, byId }: Session, entryOf: (id: string) => string | null): void {
    const entryAt = (id: string): Entry | undefined => byId.get(entryOf(id) ?? '') ?? entries[0]
    for (const field of ['asides', 'sideChain'] as const)
      for (const [id, messages] of this.#messages[field]) {
        const entry = entryAt(id)
        if (entry !== undefined) entry[field] = (entry[field] ?? []).concat(messages)
      }
    for (const [id, files] of this.#projectFiles) {
      const entry = entryAt(id)
      if (entry !== undefined) entry.projectFiles = (entry.projectFiles ?? []).concat(files)
    }
  }
}

function addAt<T>(all: ById<T>, id: string, values: readonly T[]): void {
  const earlier = all.get(id)
  if (earlier !== undefined) earlier.push(...values)
  else if (values.length > 0) all.set(id, [...values])
}
