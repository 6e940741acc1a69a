import type { FileLists } from '../session/entry.ts'

/** `legacy.ts (Read)`; `RW` was read and written. */
const FILE = /^(.+) \((Read|Write|RW)\)$/

/** `## src/`: a directory below the last heading with fewer marks. */
const HEADING = /^(#+) (.*\/)$/

/** A heading is written once for many files: past this many times the block's own size it was made to fill memory. */
const MAX_EXPANSION = 16

const plainPaths = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '')

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
export function extractFileTags(summary: string): { text: string; files: FileLists } {
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

/**
 * Reads the lines of oh-my-pi's files block: a tree with a heading for each directory, and what was done with each file
 * (read in its 18.2.3, which notes as `[…3 files elided…]` what it left out).
 */
export function readGroupedPaths(lines: readonly string[]): FileLists {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  const directories = ['']
  let room = MAX_EXPANSION * lines.reduce((size, line) => size + line.length, 0)
  for (const raw of lines) {
    const line = raw.trim()
    const [, marks, name] = HEADING.exec(line) ?? []
    if (marks !== undefined && name !== undefined) {
      directories.length = Math.min(marks.length, directories.length)
      directories.push(`${directories.at(-1) ?? ''}${name}`)
      continue
    }
    const [, file, mode] = FILE.exec(line) ?? []
    if (file === undefined) continue
    const path = `${directories.at(-1) ?? ''}${file}`
    room -= path.length
    if (room < 0) break
    if (mode === 'Read') files.readFiles.push(path)
    else files.modifiedFiles.push(path)
  }
  return files
}

const tag = (name: string, paths: readonly string[]): string =>
  paths.length === 0 ? '' : `<${name}>\n${paths.join('\n')}\n</${name}>`

/** Ends a summary with the file lists, a path a line; a list that is empty gets no tag (docs/contract.md, "Reply 200"). */
export function appendFileTags(summary: string, { readFiles, modifiedFiles }: FileLists): string {
  return [summary, tag('read-files', readFiles), tag('modified-files', modifiedFiles)].filter(Boolean).join('\n\n')
}
