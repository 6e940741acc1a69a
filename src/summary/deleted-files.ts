import { endsOfPath, MAX_COMPARED_FOLDERS, normalizePath, plainPath } from '../files/paths.ts'

/** The deleted files of a session, oldest first, without those that exist again. */
export class DeletedFiles {
  readonly #paths = new Map<string, string>()
  /** The absolute paths that end with a relative one. */
  readonly #byEnd = new Map<string, Set<string>>()

  constructor(paths: readonly string[]) {
    for (const path of paths) this.add(path)
  }

  add(path: string): void {
    const key = keyOf(path)
    this.#paths.delete(key)
    this.#paths.set(key, path)
    if (key.startsWith('/'))
      for (const end of endsOfPath(key)) this.#byEnd.set(end, (this.#byEnd.get(end) ?? new Set()).add(key))
  }

  /** Removes a path that exists again, and its folders. An absolute path is the same as its end. */
  restore(path: string): void {
    if (this.#paths.size === 0) return
    if (path === '.') this.#paths.clear()
    const parts = keyOf(path).split('/')
    for (let length = parts.length; length > 0 && length > parts.length - MAX_COMPARED_FOLDERS; length--) {
      const folder = parts.slice(0, length).join('/')
      this.#paths.delete(folder)
      if (folder.startsWith('/')) for (const end of endsOfPath(folder)) this.#paths.delete(end)
      else for (const absolute of this.#byEnd.get(folder) ?? []) this.#paths.delete(absolute)
      this.#byEnd.delete(folder)
    }
  }

  list(): string[] {
    return [...this.#paths.values()]
  }
}

const keyOf = (path: string): string => plainPath(normalizePath(path) ?? '')
