import { endsOfPath, MAX_COMPARED_FOLDERS, plainPath } from '../files/paths.ts'
import type { FileLists } from '../session/entry.ts'

/**
 * Returns lists of files without those that are known to be deleted, and those of deleted folders. A command may name a file by a
 * relative path: that is the only listed one that ends with it, or none.
 */
export function existingFiles({ readFiles, modifiedFiles }: FileLists, deleted: readonly string[]): FileLists {
  if (deleted.length === 0) return { readFiles, modifiedFiles }
  const names = new Set([...readFiles, ...modifiedFiles].map(plainPath))
  const byEnd = new Map<string, string[]>()
  for (const name of names)
    for (const end of endsOfPath(name)) byEnd.set(end, [...(byEnd.get(end) ?? []).slice(0, 1), name])
  const gone = new Set(
    deleted.map(plainPath).flatMap((path) => (names.has(path) ? path : onlyOf(byEnd.get(path), path))),
  )
  const exists = (path: string): boolean => !startsOf(plainPath(path)).some((start) => gone.has(start))
  return { readFiles: readFiles.filter(exists), modifiedFiles: modifiedFiles.filter(exists) }
}

/** Returns the only path that ends with a deleted one; the deleted one, which may be a folder, if there is none or more than one. */
const onlyOf = (paths: readonly string[] = [], deleted: string): string =>
  paths.length === 1 && paths[0] !== undefined ? paths[0] : deleted

/** Returns a path and the folders that it is in, but the root. */
function startsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(-MAX_COMPARED_FOLDERS).map((_part, index) => parts.slice(0, parts.length - index).join('/'))
}
