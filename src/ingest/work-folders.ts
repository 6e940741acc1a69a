import type { Agent } from '../agents/agent.ts'
import { fieldsOf, type UnlinkedEntry } from '../session/entry.ts'
import { toolCallsOf } from '../session/message.ts'

/** An absolute path, also one of Windows. */
const FOLDER = /^(?:\/|[A-Za-z]:)[^\n]{0,1000}$/

/** The folders in which an agent works: that which an element names is the one of all elements up to the next that names one. */
export class WorkFolders {
  readonly #read: Agent['folderIn']
  /** By the index of the element. */
  readonly #folders: string[] = []
  #last: string | undefined
  /** The one in which the session begins. */
  first: string | undefined

  constructor({ folderIn }: Pick<Agent, 'folderIn'>) {
    this.#read = folderIn
  }

  /** Reads an element. @param index its position in the document */
  read(value: unknown, index: number): void {
    // One string for all elements with the same folder.
    const folder = this.#folderIn(value)
    if (folder !== this.#last && folder !== undefined) this.#last = folder
    if (this.#last === undefined) return
    this.first ??= this.#last
    this.#folders[index] = this.#last
  }

  /**
   * Adds the folder to the messages that run commands or call tools.
   * @param document its fields may name the folder of the whole session
   */
  addTo(entries: readonly Pick<UnlinkedEntry, 'message' | 'index'>[], document: unknown = {}): void {
    this.first = this.#folderIn(document) ?? this.first
    for (const { message, index } of entries) {
      const folder = this.#folders[index] ?? this.first
      if (message === undefined || folder === undefined) continue
      if (message.role === 'bashExecution' || toolCallsOf(message).length > 0) message.cwd = folder
    }
  }

  #folderIn(value: unknown): string | undefined {
    const folder = this.#read?.(fieldsOf(value))
    return typeof folder === 'string' && FOLDER.test(folder) ? folder : undefined
  }
}
