import type { FileLists } from '../session/entry.ts'
import { readGroupedPaths } from './read-grouped-paths.ts'

/** How each block's lines are read. `files` is oh-my-pi's; the other two are pi's and our own, a path a line. */
const BLOCKS: Record<string, (lines: readonly string[]) => FileLists> = {
  'read-files': (lines) => ({ readFiles: plainPaths(lines), modifiedFiles: [] }),
  'modified-files': (lines) => ({ readFiles: [], modifiedFiles: plainPaths(lines) }),
  files: readGroupedPaths,
}

const TAG = /^\s*<(\/?)(read-files|modified-files|files)>\s*$/

/**
 * Takes the file tags out of a summary (planning rule 3). Only a whole block counts whose tags stand on lines of their
 * own; anything else is text.
 * @returns the text without the blocks and without white space at its end, and the paths, as they stood there
 */
export function takeFileTags(summary: string): { text: string; files: FileLists } {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  const kept: string[] = []
  let open: { name: string; at: number } | undefined
  for (const line of summary.split('\n')) {
    const [, slash, name = ''] = TAG.exec(line) ?? []
    if (slash === '/' && name === open?.name) {
      joinFiles(files, BLOCKS[name]?.(kept.slice(open.at + 1)))
      cutBack(kept, open.at)
      open = undefined
      continue
    }
    // A block that opens inside another shows that the outer one was never closed.
    if (slash === '') open = { name, at: kept.length }
    kept.push(line)
  }
  return { text: kept.join('\n').trimEnd(), files }
}

/** The blank lines before a block go with it. */
function cutBack(lines: string[], length: number): void {
  lines.length = length
  while (lines.at(-1)?.trim() === '') lines.pop()
}

function joinFiles(files: FileLists, more: FileLists | undefined): void {
  for (const path of more?.readFiles ?? []) files.readFiles.push(path)
  for (const path of more?.modifiedFiles ?? []) files.modifiedFiles.push(path)
}

const plainPaths = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '')
