import type { FileLists } from '../session/entry.ts'
import { readGroupedPaths } from './read-grouped-paths.ts'

/** How each block's lines are read. `files` is oh-my-pi's; the other two are pi's and our own, a path a line. */
const BLOCKS: Record<string, (lines: readonly string[]) => FileLists> = {
  'read-files': (lines) => ({ readFiles: plainPaths(lines), modifiedFiles: [] }),
  'modified-files': (lines) => ({ readFiles: [], modifiedFiles: plainPaths(lines) }),
  files: readGroupedPaths,
}

const TAG_LINE = /^[ \t]*<(\/?)(read-files|modified-files|files)>[ \t]*$/gm

/**
 * Takes the file tags out of a summary (planning rule 3). Only a whole block counts whose tags stand on lines of their
 * own; anything else is text.
 * @returns the text without the blocks and without white space at its end, and the paths, as they stood there
 */
export function takeFileTags(summary: string): { text: string; files: FileLists } {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  const texts: string[] = []
  let textStart = 0
  let open: { name: string; start: number; end: number } | undefined
  for (const { 0: line, 1: slash, 2: name = '', index: start } of summary.matchAll(TAG_LINE)) {
    const end = start + line.length
    // A block that opens inside another shows that the outer one was never closed.
    if (slash === '') open = { name, start, end }
    if (slash === '' || name !== open?.name) continue
    joinFiles(files, BLOCKS[name]?.(summary.slice(open.end, start).split('\n')))
    texts.push(summary.slice(textStart, open.start).trimEnd())
    textStart = end
    open = undefined
  }
  texts.push(summary.slice(textStart))
  return { text: texts.join('').trimEnd(), files }
}

function joinFiles(files: FileLists, more: FileLists | undefined): void {
  for (const path of more?.readFiles ?? []) files.readFiles.push(path)
  for (const path of more?.modifiedFiles ?? []) files.modifiedFiles.push(path)
}

const plainPaths = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '')
