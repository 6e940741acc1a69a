import type { FileLists } from '../session/entry.ts'
import { toolCallsOf, type Message } from '../session/message.ts'
import { normalizePath } from './normalize-path.ts'
import { readFileOperations } from './read-file-operations.ts'

/** Where file lists come from. */
export interface FileSources {
  /** Messages whose tool calls count. */
  messages: Iterable<Message>
  /** Lists of earlier summaries: from their details and their tags. */
  lists?: Iterable<FileLists>
}

/**
 * Collects the files of a compaction (planning rule 9): paths without selectors, `scheme://` paths left out, sorted, and
 * none in both lists, since what was modified is not merely read.
 */
export function collectFiles({ messages, lists = [] }: FileSources): FileLists {
  const read = new Set<string>()
  const modified = new Set<string>()
  const join = ({ readFiles, modifiedFiles }: FileLists): void => {
    addPaths(read, readFiles)
    addPaths(modified, modifiedFiles)
  }
  for (const list of lists) join(list)
  for (const message of messages) for (const call of toolCallsOf(message)) join(readFileOperations(call))
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
}

function addPaths(paths: Set<string>, more: readonly string[]): void {
  for (const path of more) {
    const file = normalizePath(path)
    if (file !== undefined) paths.add(file)
  }
}
